interface Expressions {
  /** An emoji as Unicode lists it. */
  listed: RegExp;
  /** What is drawn in colour only with U+FE0F behind it: digits only in a keycap. */
  plain: RegExp;
}
let made: Expressions | undefined;

/** Made on first use: the sets of emoji take V8 10 ms in each thread that loads this file. */
const expressions = (): Expressions =>
  (made ??= {
    listed: /^\p{RGI_Emoji}$/v,
    plain: /(?:[\p{Emoji}--[\p{Emoji_Presentation}\p{Emoji_Component}]]|[\d#*](?=\u20e3))(?!\p{Emoji_Modifier})/gv,
  });

/**
 * One form of an emoji, however it was typed: as Unicode lists it, with U+FE0F where it needs it and nowhere else. Other
 * texts stay as they are.
 */
export function emojiForm(text: string): string {
  const { listed, plain } = expressions();
  const bare = text.replaceAll('\ufe0f', '');
  return [bare, bare.replaceAll(plain, '$&\ufe0f'), text].find((form) => listed.test(form)) ?? text;
}

export const isEmoji = (text: string): boolean => expressions().listed.test(emojiForm(text));
