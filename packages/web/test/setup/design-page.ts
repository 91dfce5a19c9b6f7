import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { BrowserContext } from 'playwright-core';
import { build } from 'vite';
import { compileWords } from '../../compile-words.ts';
import { manifestFiles } from '../../manifest-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** The page of the app's parts (design.html), which no build of the app contains: built for a test. */
export class DesignPage implements AsyncDisposable {
  readonly url = 'http://design.test/design.html';
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async build(): Promise<DesignPage> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-design-'));
    await build({
      configFile: false,
      root,
      logLevel: 'error',
      plugins: [compileWords(), react(), manifestFiles()],
      build: {
        target: 'es2023',
        outDir: folder,
        emptyOutDir: true,
        copyPublicDir: false,
        modulePreload: { polyfill: false },
        rolldownOptions: { input: `${root}design.html` },
      },
    });
    return new DesignPage(folder);
  }

  /** Answers the requests of a browser from the folder. */
  async serve(context: BrowserContext): Promise<void> {
    await context.route('http://design.test/**', async (route) => {
      const { pathname } = new URL(route.request().url());
      const body = await readFile(join(this.#folder, pathname)).catch(() => null);
      if (body === null) return route.fulfill({ status: 404 });
      return route.fulfill({ body, contentType: types[extname(pathname)] ?? 'application/octet-stream' });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }
}
