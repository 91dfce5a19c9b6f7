/** The search hit that was chosen last: its message, and the words of it that were found. */
let sought: { readonly messageId: string; readonly words: readonly string[] } | null = null;

export function seekWords(messageId: string, words: readonly string[]): void {
  sought = { messageId, words };
}

export const soughtWords = (messageId: string): readonly string[] =>
  sought?.messageId === messageId ? sought.words : [];
