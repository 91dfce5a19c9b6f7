import { expect, test } from 'vitest';
import { decodedText, textEncodingOf } from './index.ts';

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const latin = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));

test('CONTEXT-18: a text is read in UTF-8 and UTF-16, with and without a mark', () => {
  const wide = Buffer.from('name;Müller\r\n名前\n', 'utf16le');
  const swapped = Buffer.from(wide).swap16();
  for (const bytes of [wide, swapped, Buffer.concat([hex('fffe'), wide]), Buffer.concat([hex('feff'), swapped])])
    expect(decodedText(bytes)).toBe('name;Müller\n名前\n');
  expect(decodedText(Buffer.from('\ufeffGrüße 名前'))).toBe('Grüße 名前');
  // The last character may be cut off.
  expect(textEncodingOf(Buffer.from('Grüße 名前').subarray(0, -1))).toBe('utf-8');
});

test.each([
  ['German', 'windows-1252', '4dfc6c6c65722062657a61686c7420352080', 'Müller bezahlt 5 €'],
  ['French', 'windows-1252', '4f f9 20 e0 20 6c 61 20 6d e8 72 65 20 6c 92 e9 74 e9', 'Où à la mère l’été'],
  ['Chinese', 'gb18030', 'bdf1 ccec ccec c6f8 bada a1a3 ced2 c3c7 c8a5 b9ab d4b0', '今天天气黑。我们去公园'],
  ['Japanese', 'shift_jis', '82b1 82f1 82c9 82bf 82cd 2c 834a 8366', 'こんにちは,カデ'],
  ['Japanese in EUC', 'euc-jp', 'a4b3 a4f3 a4cb a4c1 a4cf 20 c6fc cbdc b8ec', 'こんにちは 日本語'],
  ['Chinese of Taiwan', 'big5', 'a7da adcc a4b5 a4d1 a568 a4bd b6e9', '我們今天去公園'],
  ['Korean', 'euc-kr', 'bec8 b3e7 c7cf bcbc bfe4 20 c0cc b0cd c0ba', '안녕하세요 이것은'],
])('CONTEXT-18: a text is read in the encoding that its bytes surely are in: %s is %s', (_, encoding, bytes, text) => {
  expect([textEncodingOf(hex(bytes)), decodedText(hex(bytes))]).toEqual([encoding, text]);
});

test('CONTEXT-18: bytes of an encoding that is not sure become U+FFFD, and a damaged text in UTF-8 stays in it', () => {
  // Russian in Windows-1251, Polish in Windows-1250, French of an old Mac.
  for (const bytes of [
    hex('cff0e8e2e5f220ece8f0'),
    hex('6d b9 bf 6b 61 20 b3 f3 64 bf'),
    hex('63 61 66 8e 20 8e 74 8e'),
  ])
    expect([textEncodingOf(bytes), decodedText(bytes)?.includes('\ufffd')]).toEqual(['utf-8', true]);
  const damaged = Buffer.concat([Buffer.from('žluťoučký kůň příšerně úpěl ďábelské ódy'), hex('ff')]);
  expect(decodedText(damaged)).toBe('žluťoučký kůň příšerně úpěl ďábelské ódy\ufffd');
});

/** A text in an encoding of one byte a character. */
function encoded(text: string, encoding: string): Uint8Array {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const places = new Map(Array.from(new TextDecoder(encoding).decode(bytes), (letter, byte) => [letter, byte]));
  return Uint8Array.from(text, (letter) => places.get(letter) ?? 0);
}

test.each([
  ['Hungarian', 'Az idő jó, az erdő zöld, a nő pedig vár.'],
  ['Hungarian with names in English', 'Az időben The Beatles nőtt az erdő fölött, őszre bőven volt idő.'],
  ['Croatian', 'Moja kuća je lijepa, a tvoja kuća još ljepša.'],
  ['Croatian in capitals', 'KUĆA, VEĆ, SREĆA'],
  ['Czech', 'Příliš žluťoučký kůň úpěl ďábelské ódy; řeka teče k moři a les mlčí.'],
  ['Slovak', 'Kôň stojí pri dome, na stĺpe sedí vták a človek číta.'],
  ['Slovene', 'Čebela leti čez polje, sonce pa že zahaja za goro.'],
  ['Romanian', 'Casa mea cu un pat de lemn, mamă și tată'.replaceAll('ș', 's')],
])('CONTEXT-18: %s in Windows-1250 is not read as Windows-1252', (_, text) => {
  const bytes = encoded(text, 'windows-1250');
  expect([textEncodingOf(bytes), decodedText(bytes)?.includes('\ufffd')]).toEqual(['utf-8', true]);
});

test.each([
  ['French', 'Où est ma mère ? Elle était à la forêt, près du château, et déjà très âgée.'],
  ['French of one word', 'L’été à Nîmes'],
  ['German', 'Die Straße führt über Köln; das Café à la carte schließt für heute.'],
  ['German of one word', 'Größe;Menge'],
  ['Spanish', 'El niño y la señora bailan en España con más ganas que ayer.'],
  ['Spanish of one word', 'Año;Señor'],
  ['Portuguese', 'As informações não são públicas; a mãe põe o pão na mesa.'],
  ['Italian', 'La città è più bella di sera, e non c’è nessuno.'],
  ['Danish', 'Æbler og pærer på bordet; jeg køber rødgrød til børnene.'],
  ['Swedish', 'Åsa går på ön där björnen är, och det är långt från ån.'],
  ['Swedish of one name', 'Åsa'],
  ['Dutch', 'De financiële crisis en het naïeve idee van een café'],
  ['Catalan', 'Això és el que passa amb els nens: què fan?'],
])('CONTEXT-18: %s in Windows-1252 is read', (_, text) => {
  const bytes = encoded(text, 'windows-1252');
  expect([textEncodingOf(bytes), decodedText(bytes)]).toEqual(['windows-1252', text]);
});

test('CONTEXT-18: the first 4 KiB decide whether a file is a text, and later control characters become U+FFFD', () => {
  const start = 'a line\n'.repeat(700);
  expect(start.length).toBeGreaterThan(4_096);
  for (const sign of ['\0', '\u001b', '\f', '\u007f', '\u0085'])
    expect([sign, decodedText(Buffer.from(`${start}a${sign}b`))]).toEqual([sign, `${start}a\ufffdb`]);
  // The whole text decides its encoding: the beginning may be in ASCII.
  expect(decodedText(latin(`${start}Grüße`))).toBe(`${start}Grüße`);
  expect(decodedText(Buffer.from('a\r\nb\rc\u2028d\te'))).toBe('a\nb\nc\nd\te');
  expect(decodedText(latin(`a\0b${start}`))).toBeNull();
});

test('CONTEXT-18: bytes with control characters or single zeros are no text', () => {
  expect(textEncodingOf(hex(''))).toBeNull();
  for (const bytes of [latin('a\0b'), latin('\x1b[31m'), hex('00010203'), hex('fffe 0100 0200'), hex('41 00 00 42')])
    expect(textEncodingOf(bytes)).toBeNull();
});
