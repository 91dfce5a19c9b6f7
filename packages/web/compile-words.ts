import { hash } from 'node:crypto';
import compile from 'icu-minify/compile';
import type { Plugin } from 'vite';
import { messagesOf } from './read-words.ts';

/**
 * Identifies messages by their English texts: short, because they are in the app many times. Two of a few thousand texts
 * share an ID with a chance of 1 in 10,000; then the build fails, and one of them has to be worded differently.
 */
export function messageIds(): (english: string) => string {
  const texts = new Map<string, string>();
  return (english) => {
    const id = hash('sha256', english, 'base64url').slice(0, 6);
    const other = texts.get(id) ?? english;
    if (other !== english) throw new Error(`these messages have the same ID, change one: "${other}" and "${english}"`);
    texts.set(id, english);
    return id;
  };
}

/**
 * Compiles the app's words, so that it needs no parser: the English literal of a message becomes its ID and the compiled
 * text, and a catalogue is keyed by these IDs.
 */
export const compileWords = (idOf = messageIds()): Plugin => ({
  name: 'compile-words',
  enforce: 'pre',
  transform(code, id) {
    const path = id.split('?', 1)[0] ?? id;
    if (/\/words\/catalogues\/\w+\.json$/.test(path)) {
      const words = Object.entries(JSON.parse(code) as Record<string, string>);
      const translated = words.filter(([, text]) => text !== '');
      const catalogue = Object.fromEntries(translated.map(([english, text]) => [idOf(english), compile(text)]));
      return { code: `export default ${JSON.stringify(catalogue)}`, map: null, moduleType: 'js' };
    }
    if (!/\/packages\/web\/(?!node_modules).*\.tsx?$/.test(path) || !/\b(?:t|rich)\(/.test(code)) return undefined;
    let built = '';
    let at = 0;
    for (const { text, start, end } of messagesOf(path, code)) {
      built += code.slice(at, start) + JSON.stringify([idOf(text), compile(text)]);
      at = end;
    }
    return { code: built + code.slice(at), map: null };
  },
});
