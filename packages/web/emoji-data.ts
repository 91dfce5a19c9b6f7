import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { languages } from '@parley/protocol/languages';
import type { Plugin } from 'vite';
import { extraFiles } from './extra-files.ts';

const find = createRequire(import.meta.url).resolve;
const read = (path: string): unknown => JSON.parse(readFileSync(find(`emojibase-data/${path}`), 'utf8'));

interface Emoji {
  emoji: string;
  label: string;
  group?: number;
  subgroup?: number;
  version: number;
  tags?: string[];
  skins?: { emoji: string; tone: number | number[] }[];
}

/** The languages of the app in which the package has names: it has none in Arabic (emoji-list.ts). */
const locales = Object.keys(languages).filter((language) => language !== 'ar');

interface Messages {
  groups: { key: string; message: string }[];
}

/** Names of groups that are wrong in the package, or in Chinese in traditional characters. */
const groupNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  zh: {
    'smileys-emotion': '笑脸与情感',
    'people-body': '人物与身体',
    'animals-nature': '动物与自然',
    'food-drink': '食物与饮料',
    'travel-places': '旅行与地点',
    activities: '活动',
    objects: '物品',
    symbols: '符号',
  },
};

function messagesIn(locale: string): Messages {
  const messages = read(`${locale}/messages.json`) as Messages; // the format of the package
  const groups = messages.groups.map((group) => ({
    ...group,
    message: groupNames[locale]?.[group.key] ?? group.message,
  }));
  return { ...messages, groups };
}

const emojisIn = (locale: string) => read(`${locale}/data.json`) as Emoji[]; // the format of the package

/** The emoji picker's data files, reduced to the fields that it reads. An emoji is found by its English names too. */
function filesOfPicker(): Map<string, string> {
  const english = new Map(emojisIn('en').map(({ emoji, label, tags = [] }) => [emoji, [label, ...tags]]));
  return new Map(
    locales.flatMap((locale) => {
      const slim = emojisIn(locale).map(({ emoji, label, group, subgroup, version, tags = [], skins }) => ({
        emoji,
        label,
        group,
        subgroup,
        version,
        tags: locale === 'en' ? tags : [...new Set([...tags, ...(english.get(emoji) ?? [])])],
        skins: skins?.map((skin) => ({ emoji: skin.emoji, tone: skin.tone })),
      }));
      return [
        [`${locale}/data.json`, JSON.stringify(slim)],
        [`${locale}/messages.json`, JSON.stringify(messagesIn(locale))],
      ] as const;
    }),
  );
}

export const emojiData = (): Plugin =>
  extraFiles('emoji-data', 'EMOJI_PLACE', async () => ({
    place: `assets/emoji-${(read('package.json') as { version: string }).version}`,
    files: filesOfPicker(),
  }));
