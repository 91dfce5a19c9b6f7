import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

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

/** What the emoji picker loads, served with the app: names, groups and skin tones, without what it does not read. */
function filesOfPicker(): Map<string, string> {
  // The package's own format.
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

/** Its version is in its place, so that browsers may keep it. */
export const emojiPlace = `assets/emoji-${(read('package.json') as { version: string }).version}`;

export function emojiData(): Plugin {
  return {
    name: 'emoji-data',
    config: () => ({ define: { EMOJI_PLACE: JSON.stringify(`/${emojiPlace}`) } }),
    generateBundle() {
      for (const [name, source] of filesOfPicker())
        this.emitFile({ type: 'asset', fileName: `${emojiPlace}/${name}`, source });
    },
    configureServer({ middlewares }) {
      const files = filesOfPicker();
      middlewares.use(`/${emojiPlace}`, (request, response, next) => {
        const file = files.get((request.url ?? '').replace(/^\//, '').replace(/\?.*/, ''));
        if (file === undefined) return next();
        response.setHeader('content-type', 'application/json; charset=utf-8');
        return response.end(file);
      });
    },
  };
}
