import { createContext, use } from 'react';

/** Remembers the words of the search hit that was chosen last, so that its message can highlight them. */
export class SoughtWords {
  #sought: { readonly messageId: string; readonly words: readonly string[] } | null = null;

  set(messageId: string, words: readonly string[]): void {
    this.#sought = { messageId, words };
  }

  of(messageId: string): readonly string[] {
    return this.#sought?.messageId === messageId ? this.#sought.words : [];
  }
}

export const SoughtWordsContext = createContext<SoughtWords | null>(null);

export function useSoughtWords(): SoughtWords {
  const words = use(SoughtWordsContext);
  if (!words) throw new Error('this component needs a SoughtWordsContext around it');
  return words;
}
