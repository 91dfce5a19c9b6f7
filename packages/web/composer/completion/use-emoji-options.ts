import { useEffect, useState } from 'react';

/** An emoji with its name. */
export interface NamedEmoji {
  readonly emoji: string;
  readonly label: string;
}

const MOST = 8;
const none: readonly NamedEmoji[] = [];

/** The emoji that a typed name finds; none for null. Their list and the search load with the first name. */
export function useEmojiOptions(name: string | null): readonly NamedEmoji[] {
  const [found, setFound] = useState<{ name: string; emojis: readonly NamedEmoji[] } | null>(null);
  useEffect(() => {
    if (name === null) return undefined;
    const abort = new AbortController();
    const { signal } = abort;
    import('../../emoji/emoji-list.ts')
      .then(async ({ emojiNamed }) => emojiNamed(name, MOST, signal))
      .then(
        (emojis) => signal.aborted || setFound({ name, emojis }),
        // Offline before the first use: there are no suggestions.
        () => undefined,
      );
    return () => abort.abort();
  }, [name]);
  return name !== null && found?.name === name ? found.emojis : none;
}
