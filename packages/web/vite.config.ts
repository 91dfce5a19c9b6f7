import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { classicScript } from './classic-script.ts';
import { compileWords } from './compile-words.ts';
import { designPage } from './design-page.ts';
import { diagramFiles } from './diagram-files.ts';
import { emojiData } from './emoji-data.ts';
import { manifestFiles } from './manifest-files.ts';
import { isOnDemand, onDemand, onDemandAsset, woff2Only } from './on-demand.ts';
import { openingPage, packedFiles } from './opening-page.ts';
import { pdfData } from './pdf-data.ts';
import { shellFiles } from './shell-files.ts';

// `npm run dev:web` serves the app with hot reload in front of a running service, at PARLEY_URL.
const service = process.env['PARLEY_URL'] ?? 'http://127.0.0.1:8080';

/** The script that pages of other sites load. */
const LOADER = 'widget.js';
/** Scripts that share no file with others: a classic script cannot import. */
const alone = ['worker/', 'widget/load-widget.ts'].map((name) => `${import.meta.dirname}/${name}`);

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    compileWords(),
    react(),
    emojiData(),
    diagramFiles(),
    manifestFiles(),
    pdfData(),
    woff2Only(),
    designPage(),
    openingPage(),
    shellFiles(),
    packedFiles(),
    classicScript(LOADER),
  ],
  worker: { format: 'es', rolldownOptions: { output: { chunkFileNames: onDemand, entryFileNames: onDemand } } },
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    // The page's content security policy forbids inline scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        app: `${import.meta.dirname}/index.html`,
        worker: `${import.meta.dirname}/worker/service-worker.ts`,
        widget: `${import.meta.dirname}/widget.html`,
        loader: `${import.meta.dirname}/widget/load-widget.ts`,
      },
      output: {
        entryFileNames: ({ name }) =>
          name === 'worker' ? 'service-worker.js' : name === 'loader' ? LOADER : 'assets/[name]-[hash].js',
        chunkFileNames: ({ moduleIds }) => (isOnDemand(moduleIds) ? onDemand : 'assets/[name]-[hash].js'),
        assetFileNames: ({ names }) =>
          names.some((name) => /katex/i.test(name)) ? onDemandAsset : 'assets/[name]-[hash][extname]',
        // Pages that load on demand share modules with the first view; without groups, each set of pages that shares one
        // gets a file of its own.
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/,
              tags: ['$initial'],
              priority: 1,
            },
            // One file of what the app and the widget share, and one for each of the two.
            {
              name: 'first',
              test: (id) => !alone.some((path) => id.startsWith(path)),
              tags: ['$initial'],
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': { target: service, ws: true }, '/files': service, '/avatars': service, '/exports': service },
  },
});
