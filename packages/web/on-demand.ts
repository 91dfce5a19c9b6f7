import type { Plugin } from 'vite';

/**
 * Files of libraries that few messages need: grammars of code, and what draws formulas. They stand in a folder of their
 * own, which the service worker does not fetch in advance; the browser caches them when they are first used.
 */
export const onDemand = 'assets/on-demand/[name]-[hash].js';
export const onDemandAsset = 'assets/on-demand/[name]-[hash][extname]';

export const isOnDemand = (moduleIds: readonly string[]): boolean =>
  moduleIds.some((id) => id.includes('/node_modules/katex/'));

/** KaTeX names each font in three formats; every browser that the app runs in reads the first. */
export const woff2Only = (): Plugin => ({
  name: 'woff2-only',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('katex.min.css')) return undefined;
    return code.replaceAll(/,url\([^(),]*\.(?:woff|ttf)\) format\("\w+"\)/g, '');
  },
});
