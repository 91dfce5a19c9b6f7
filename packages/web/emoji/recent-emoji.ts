import { storage } from '../browser/storage.ts';

const KEY = 'parley.emoji';
const MOST = 16;
const first = ['👍', '❤️', '😂', '🎉', '🙏', '👀', '✅', '🔥'];

/** Emoji recently chosen in this browser, newest first, then common ones. */
export function recentEmoji(): string[] {
  let saved: unknown = [];
  try {
    saved = JSON.parse(storage.getItem(KEY) ?? '[]');
  } catch {
    // The stored value is not valid JSON: ignore it.
  }
  const own = Array.isArray(saved) ? saved.filter((one): one is string => typeof one === 'string') : [];
  return [...new Set([...own, ...first])].slice(0, MOST);
}

export function keepEmoji(emoji: string): void {
  const kept = [emoji, ...recentEmoji().filter((one) => one !== emoji)].slice(0, MOST);
  try {
    storage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // The storage is full: keep the old list.
  }
}
