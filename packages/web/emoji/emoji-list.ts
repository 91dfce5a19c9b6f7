import { defaultEmojiDataResolver, type EmojiData } from 'frimousse';
import { language } from '../words/language.ts';
import { foundEmoji, searchedCustom, type SearchedEmoji } from './emoji-search.ts';

/** Defined by the build: see emoji-data.ts. */
declare const EMOJI_PLACE: string;

/** The language of the names: the data has none in Arabic. */
export const emojiLocale = language === 'ar' ? 'en' : language;

/** All emoji with their names, from the service or from what the browser has kept. */
export async function loadEmoji(signal: AbortSignal): Promise<EmojiData['emojis']> {
  return (await defaultEmojiDataResolver(emojiLocale, { emojibaseUrl: EMOJI_PLACE, signal })).emojis;
}

/** The emoji that a name finds among all and these custom ones, the best match first. */
export async function emojiNamed(
  name: string,
  { custom, most, signal }: { custom: readonly { name: string }[]; most: number; signal: AbortSignal },
): Promise<SearchedEmoji[]> {
  return foundEmoji([...custom.map(searchedCustom), ...(await loadEmoji(signal))], name).slice(0, most);
}
