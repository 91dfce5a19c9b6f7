import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { isLanguage, languages } from '@parley/protocol/languages';
import type { Plugin } from 'vite';

const PAGE = 'index.html';
const read = (name: string): Promise<string> => readFile(join(import.meta.dirname, 'opening', name), 'utf8');

/** The languages of the app that are written from right to left. */
const rightToLeft = Object.keys(languages).filter((name) => isLanguage(name) && languages[name].direction === 'rtl');

/** Without blanks and comments, each of which is a line of its own. */
const small = (source: string): string =>
  source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//') && !line.startsWith('/*'))
    .join('\n');

/**
 * What the page shows before the app's own files have loaded (WEB-620). Its style and its script are small files of
 * their own, because the policy of the page forbids inline ones. The app's styles stand behind the outlines in the body:
 * they block only what follows them.
 */
export function openingPage(): Plugin {
  const files = new Map<'css' | 'js', { name: string; source: string }>();
  return {
    name: 'opening-page',
    async buildStart() {
      const script = (await read('opening.js')).replace('RIGHT_TO_LEFT', JSON.stringify(rightToLeft));
      for (const [kind, text] of [
        ['css', await read('opening.css')],
        ['js', script],
      ] as const) {
        const source = small(text);
        files.set(kind, { name: `assets/opening-${hash('sha256', source).slice(0, 8)}.${kind}`, source });
      }
    },
    generateBundle() {
      for (const { name, source } of files.values()) this.emitFile({ type: 'asset', fileName: name, source });
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const file = [...files.values()].find(({ name }) => request.url === `/${name}`);
        if (!file) return next();
        response.setHeader('content-type', file.name.endsWith('css') ? 'text/css' : 'text/javascript');
        return response.end(file.source);
      });
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { path }) {
        if (!path.endsWith(PAGE)) return html;
        const [style, script] = [files.get('css')?.name, files.get('js')?.name];
        // The script first: one behind a style waits for it.
        const opening = `<script src="/${script}"></script>\n    <link rel="stylesheet" href="/${style}" />\n  </head>`;
        const styles = html.match(/^ *<link rel="stylesheet"[^>]*>\n/gm) ?? [];
        return styles
          .reduce((page, link) => page.replace(link, ''), html)
          .replace(' </head>', `   ${opening}`)
          .replace(/(\n *<p class="old-browser">)/, `\n${styles.join('').trimEnd()}$1`);
      },
    },
  };
}

const packed = promisify(brotliCompress);

/** Compresses the scripts and styles of the app as far as Brotli can, which takes too long for a running service. */
export const packedFiles = (): Plugin => ({
  name: 'packed-files',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    const params = { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
    await Promise.all(
      Object.entries(bundle).map(async ([name, file]) => {
        if (!/^assets\/[^/]+\.(?:js|css)$/.test(name)) return;
        const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source);
        if (bytes.length < 1_024) return;
        await writeFile(join(dir, `${name}.br`), await packed(bytes, { params }));
      }),
    );
  },
});
