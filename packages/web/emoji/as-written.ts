const IN_COLOUR = /^\p{Emoji_Presentation}$/u;

/** Without variation selectors. */
export const bare = (emoji: string): string => emoji.replaceAll('\uFE0F', '');

/** The canonical form: 👍 with a redundant variation selector would count as another reaction than 👍. */
export const asWritten = (emoji: string): string => (IN_COLOUR.test(bare(emoji)) ? bare(emoji) : emoji);
