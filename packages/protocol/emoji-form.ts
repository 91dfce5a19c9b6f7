const RGI = /^\p{RGI_Emoji}$/v;
/** What is drawn in colour only with U+FE0F behind it: digits only in a keycap. */
const PLAIN = /(?:[\p{Emoji}--[\p{Emoji_Presentation}\p{Emoji_Component}]]|[\d#*](?=\u20e3))(?!\p{Emoji_Modifier})/gv;

/**
 * One form of an emoji, however it was typed: as Unicode lists it, with U+FE0F where it needs it and nowhere else. Other
 * texts stay as they are.
 */
export function emojiForm(text: string): string {
  const bare = text.replaceAll('\ufe0f', '');
  return [bare, bare.replaceAll(PLAIN, '$&\ufe0f'), text].find((form) => RGI.test(form)) ?? text;
}

export const isEmoji = (text: string): boolean => RGI.test(emojiForm(text));
