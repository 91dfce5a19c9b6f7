import { emojiForm, isEmoji } from '@parley/protocol/emoji-form';
import data from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };

/** The names of emoji as Slack writes them, each as a text or a list, by the code points in hexadecimal. */
type Codes = Readonly<Record<string, string | readonly string[]>>;

const codes: Codes = data;
let known: ReadonlyMap<string, string> | undefined;

/** Made when a text first has a code: most services never need it. */
function emojiByCode(): ReadonlyMap<string, string> {
  return (known ??= new Map(
    Object.entries(codes).flatMap(([points, names]) => [names].flat().map((name) => [name, emojiOf(points)] as const)),
  ));
}

/** The emoji of code points in hexadecimal, such as `1F44B-1F3FD`, in the form in which Unicode lists it; '' if it is none. */
export function emojiOf(points: string): string {
  if (!/^[\da-f]{1,6}(?:-[\da-f]{1,6}){0,15}$/i.test(points)) return '';
  const numbers = points.split('-').map((point) => Number.parseInt(point, 16));
  if (numbers.some((point) => point > 0x10ffff)) return '';
  const emoji = emojiForm(String.fromCodePoint(...numbers));
  return isEmoji(emoji) ? emoji : '';
}

/** A name of an emoji. */
const NAME = /^[a-z\d_+'-]{1,60}$/;
export const isEmojiName = (name: string): boolean => NAME.test(name);

const CODE = /(?<!\w):([a-z\d_+'-]{1,60}):(?::skin-tone-([2-6]):)?/g;

/** Replaces Slack's codes, such as `:tada:`; those that no emoji has stay, because they may be emoji of this service. */
export const withEmoji = (text: string): string =>
  text.replaceAll(CODE, (found, name: string, tone: string | undefined) => emojiNamed(name, Number(tone)) ?? found);

/** The emoji with a name, in one of Slack's tones of the skin (2 to 6). */
export function emojiNamed(name: string, tone = Number.NaN): string | undefined {
  const emoji = emojiByCode().get(name);
  if (emoji === undefined || !(tone >= 2 && tone <= 6)) return emoji;
  return emoji.replace(/^(\p{Emoji_Modifier_Base})\ufe0f?/u, `$1${String.fromCodePoint(0x1f3f9 + tone)}`);
}
