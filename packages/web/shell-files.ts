import { hash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const WORKER = 'service-worker.js';
const PAGE = 'index.html';
/** Placeholder in the worker's source, replaced after the rest is built. */
const PLACE = 'SHELL_FILES';

/** Writes the list of built files into the service worker, which caches them. The worker changes with each build. */
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
        // Browsers load the worker as a classic script, without imports.
        if (worker.imports.length > 0)
          throw new Error(`the service worker shares ${worker.imports.join(', ')} with pages`);
        // Without the PNG icons, which only the system shows, and which it keeps itself.
        const others = globSync('**/*.*', { cwd: publicDir, exclude: ['**/*.png'] }).toSorted();
        // Without the emoji data, which is large: the browser caches it when it is first used. Without the widget's own.
        const built = Object.keys(bundle).filter((name) => /^assets\/(?!widget-)[^/]+\.(?:js|css|woff2)$/.test(name));
        const files = [...built.toSorted(), ...others].map((name) => `/${name}`);
        const contents = [page.source, ...others.map((name) => readFileSync(join(publicDir, name), 'utf8'))];
        const build = hash('sha256', JSON.stringify([files, contents.map(String), worker.code])).slice(0, 16);
        worker.code = worker.code.replaceAll(PLACE, JSON.stringify({ build, files }));
      },
    },
  };
}
