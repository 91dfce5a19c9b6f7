import { folded } from '@parley/protocol/folded';
import { bare } from './as-written.ts';
import { customName } from './written-emoji.ts';

/** An emoji in the picker's data. */
export interface SearchedEmoji {
  readonly emoji: string;
  readonly label: string;
  readonly tags: readonly string[];
}

/** The emoji sent most often, by the Unicode Consortium's count, most frequent first. */
const popular =
  '😂 ❤ 🤣 👍 😭 🙏 😘 🥰 😍 😊 🎉 😁 💕 🥺 😅 🔥 ☺ 🤦 🤷 🙄 😆 🤗 😉 🎂 🤔 👏 🙂 😳 🥳 😎 👌 💜 😔 💪 ✨ 💖 👀 😋 😏 😢 ✅ 👉 💗 😩 💯 🌹 🚀 🎈 💙 😃 😡 💐 😜 🙈 🤞 😄 🤤 🙌 🤪 ❣ 😀 💋 💀 👇 💔 😌 🤩 🙃 😬 😱 😴 🤭 😐 🌞 😒 😇 🌸 😈 🎶 ✌ 🎊 🥵 😞 💚 ☀ 🖤 💰 👑 🎁 💥 🙋 🍀 ☕ 👋 👎 ⚡ 🐶 🐱 🍕 🍻 ⭐ 🏆 ⚽ 🎵 💡 ⏰ 📌 ✏ 📷 🏠 🚗 ✈'.split(
    ' ',
  );

/** Without the variation selector that requests a colour image. */
const places = new Map(popular.map((emoji, at) => [bare(emoji), at]));
/** Custom emoji come before all others that match equally well. */
const placeOf = (emoji: string): number =>
  customName(emoji) === undefined ? (places.get(bare(emoji)) ?? popular.length) : -1;

/** A custom emoji in the form in which it is searched: its name is the label. */
export const searchedCustom = ({ name }: { name: string }): SearchedEmoji => ({
  emoji: `:${name}:`,
  label: name.replaceAll('_', ' '),
  tags: [],
});

/** How many positions in the popularity list one better rank of the name is worth. */
const A_FIT = 60;

/** How well a word matches: 0 is best, Infinity is no match. */
function fit(label: string, tags: readonly string[], word: string): number {
  if (label === word) return 0;
  const words = label.split(/[^\p{L}\p{N}]+/u);
  if (words.includes(word) || words.includes(`${word}s`)) return 1;
  if (tags.includes(word) || words.some((one) => one.startsWith(word))) return 2;
  if (tags.some((tag) => tag.startsWith(word))) return 3;
  return label.includes(word) ? 4 : Infinity;
}

/** Searches emoji by name; equally good matches are sorted by popularity. */
export function foundEmoji<Emoji extends SearchedEmoji>(all: readonly Emoji[], search: string): Emoji[] {
  const wanted = folded(search.trim());
  const words = wanted.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return [];
  return all
    .map((one) => {
      const label = folded(one.label);
      const tags = one.tags.map(folded);
      const worst = label === wanted ? 0 : Math.max(...words.map((word) => fit(label, tags, word)));
      return { one, rank: worst * A_FIT + placeOf(one.emoji) };
    })
    .filter(({ rank }) => rank < Infinity)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}
