import type { CustomEmoji } from '@parley/protocol';
import { useEffect, useState } from 'react';
import { useStore } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';

/** An emoji with its name. */
interface NamedEmoji {
  readonly emoji: string;
  readonly label: string;
}

const MOST = 8;
const none: readonly NamedEmoji[] = [];
const noCustom: readonly CustomEmoji[] = [];
const notNeeded = { get: () => noCustom, subscribe: () => () => {} };

/** The emoji that a typed name finds; none for null. Their list and the search load with the first name. */
export function useEmojiOptions(name: string | null): readonly NamedEmoji[] {
  const [found, setFound] = useState<{ name: string; emojis: readonly NamedEmoji[] } | null>(null);
  const store = useStore();
  // Loaded with the first name.
  const custom = useCell(name === null ? notNeeded : store.customEmoji);
  useEffect(() => {
    if (name === null) return undefined;
    const abort = new AbortController();
    const { signal } = abort;
    import('../../emoji/emoji-list.ts')
      .then(async ({ emojiNamed }) => emojiNamed(name, { custom, most: MOST, signal }))
      .then(
        (emojis) => signal.aborted || setFound({ name, emojis }),
        // Offline before the first use: there are no suggestions.
        () => undefined,
      );
    return () => abort.abort();
  }, [name, custom]);
  return name !== null && found?.name === name ? found.emojis : none;
}
