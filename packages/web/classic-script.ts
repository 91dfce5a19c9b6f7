import type { Plugin } from 'vite';

/** Wraps a script that pages load without `type="module"`: its names stay its own. */
export const classicScript = (file: string): Plugin => ({
  name: 'classic-script',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const script = bundle[file];
      if (script?.type !== 'chunk' || script.imports.length > 0)
        throw new Error(`${file} is missing, or imports others`);
      script.code = `(()=>{${script.code.trim()}})();\n`;
    },
  },
});
