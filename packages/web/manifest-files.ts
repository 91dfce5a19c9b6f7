import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { languages, translations } from '@parley/protocol/languages';
import type { Plugin } from 'vite';
import { extraFiles } from './extra-files.ts';

interface Manifest {
  description: string;
  shortcuts: { name: string }[];
}

const read = (name: string): unknown => JSON.parse(readFileSync(`${import.meta.dirname}/${name}`, 'utf8'));

/** The manifest of the installed app in each language but English, with the words of the catalogues. */
export const manifestFiles = (): Plugin =>
  extraFiles('manifest-files', 'MANIFEST_PLACE', async () => {
    const english = read('public/manifest.webmanifest') as Manifest; // our own files
    const files = new Map(
      translations.map((lang) => {
        const words = read(`words/catalogues/${lang}.json`) as Record<string, string>;
        const inWords = (text: string) => words[text] || text;
        const manifest = {
          ...english,
          lang,
          dir: languages[lang].direction,
          description: inWords(english.description),
          shortcuts: english.shortcuts.map((shortcut) => ({ ...shortcut, name: inWords(shortcut.name) })),
        };
        return [`${lang}.json`, JSON.stringify(manifest)] as const;
      }),
    );
    const version = hash('sha256', JSON.stringify([...files])).slice(0, 12);
    return { place: `assets/manifests-${version}`, files };
  });
