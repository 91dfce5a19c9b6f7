import { fileURLToPath } from 'node:url';
import { codeLimits } from './code-limits.ts';

/** Of a page of WebAssembly memory. */
const PAGE_BYTES = 65_536;

const pathTo = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const folderOf = (name: string): string =>
  fileURLToPath(import.meta.resolve(`${name}/package.json`)).replace(/package\.json$/, '');

/** Packages that the process loads. */
export const enginePackage = folderOf('quickjs-wasi');
export const chartsPackage = folderOf('echarts');

/**
 * Options for starting the process that runs code: Node's permission model denies files but its own code, and network,
 * processes, threads, addons, WASI and the debugger (CODE-2). The environment is empty.
 */
export const confinedCode = (): { env: Record<string, string>; execArgv: string[] } => ({
  env: {},
  execArgv: [
    '--permission',
    ...[pathTo('./'), pathTo('../package.json'), enginePackage, chartsPackage].map((path) => `--allow-fs-read=${path}`),
    // The engine limits itself; this stops it if it does not.
    `--wasm-max-mem-pages=${(2 * codeLimits.memoryBytes) / PAGE_BYTES}`,
    // No threads of the engine of Node's own: the time that passes then bounds the processor time (CODE-4).
    '--v8-pool-size=0',
    '--max-old-space-size=128',
    '--disallow-code-generation-from-strings',
    '--no-warnings',
  ],
});
