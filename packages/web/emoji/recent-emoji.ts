const KEY = 'parley.emoji';
const MOST = 16;
const first = ['👍', '❤️', '😂', '🎉', '🙏', '👀', '✅', '🔥'];

/** What one has chosen last in this browser, newest first, and then what most people choose. */
export function recentEmoji(): string[] {
  let saved: unknown = [];
  try {
    saved = JSON.parse(localStorage.getItem(KEY) ?? '[]');
  } catch {
    // Whatever stands there is no list.
  }
  const own = Array.isArray(saved) ? saved.filter((one): one is string => typeof one === 'string') : [];
  return [...new Set([...own, ...first])].slice(0, MOST);
}

export function keepEmoji(emoji: string): void {
  const kept = [emoji, ...recentEmoji().filter((one) => one !== emoji)].slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Full: the list stays as it was.
  }
}
