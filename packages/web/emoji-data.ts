import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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

/** The emoji picker's data files, reduced to the fields that it reads. */
function filesOfPicker(): Map<string, string> {
  // The format of the emojibase-data package.
  const emojis = read('en/data.json') as Emoji[];
  const slim = emojis.map(({ emoji, label, group, subgroup, version, tags, skins }) => ({
    emoji,
    label,
    group,
    subgroup,
    version,
    tags,
    skins: skins?.map((skin) => ({ emoji: skin.emoji, tone: skin.tone })),
  }));
  return new Map([
    ['en/data.json', JSON.stringify(slim)],
    ['en/messages.json', JSON.stringify(read('en/messages.json'))],
  ]);
}

export const emojiData = (): Plugin =>
  extraFiles('emoji-data', 'EMOJI_PLACE', async () => ({
    place: `assets/emoji-${(read('package.json') as { version: string }).version}`,
    files: filesOfPicker(),
  }));
