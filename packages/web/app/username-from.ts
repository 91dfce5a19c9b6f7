const MOST = 32;
/** Latin letters that are not one of a to z with a mark. */
const spelled: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** A username that a name suggests: "Zoë Müller" is "zoe_muller". Empty if the name has no Latin letters or digits. */
export const usernameFrom = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþı]/g, (letter) => spelled[letter] ?? '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, MOST)
    .replaceAll(/^_+|(?<!_)_+$/g, '');
