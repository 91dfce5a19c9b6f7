import { hash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const WORKER = 'service-worker.js';
const PAGE = 'index.html';
/** In the worker's source, for what is known once all else is built. */
const PLACE = 'SHELL_FILES';

/** Tells the service worker the files of its build, so that it can keep them, and changes with each build. */
export function shellFiles(): Plugin {
  let publicDir = '';
  return {
    name: 'shell-files',
    enforce: 'post',
    configResolved(config) {
      ({ publicDir } = config);
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle[PAGE];
        const worker = bundle[WORKER];
        if (page?.type !== 'asset' || worker?.type !== 'chunk' || !worker.code.includes(PLACE))
          throw new Error('the build has no page, or no service worker');
        // Browsers load it as a plain script.
        if (worker.imports.length > 0)
          throw new Error(`the service worker shares ${worker.imports.join(', ')} with pages`);
        const others = globSync('**/*.*', { cwd: publicDir }).toSorted();
        // What the emoji picker loads is larger than most of the rest: the browser keeps it once it was asked for.
        const built = Object.keys(bundle).filter((name) => /^assets\/[^/]+\.(?:js|css|woff2)$/.test(name));
        const files = [...built.toSorted(), ...others].map((name) => `/${name}`);
        const contents = [page.source, ...others.map((name) => readFileSync(join(publicDir, name), 'utf8'))];
        const build = hash('sha256', JSON.stringify([files, contents.map(String), worker.code])).slice(0, 16);
        worker.code = worker.code.replaceAll(PLACE, JSON.stringify({ build, files }));
      },
    },
  };
}
