// The bot SDK in one file without dependencies, and its types in another, for the folder of a new bot.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type OutputChunk, rolldown, type RolldownOptions } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = ['client/bot/index.ts', 'client/bot/testing/index.ts'];

/** The SDK as JavaScript. */
export async function bundledSdk(): Promise<string> {
  const ENTRY = 'virtual:parley-bot';
  const { code, imports } = await bundled({
    input: ENTRY,
    platform: 'node',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === ENTRY ? id : undefined),
        load: (id) => (id === ENTRY ? reExports(join(root, 'packages')) : undefined),
      },
    ],
  });
  if (imports.length > 0) throw new Error(`the SDK imports ${imports.join(', ')}, so it would not run by itself`);
  return `// Parley's bot SDK in one file, without dependencies. MIT licensed. Made by \`npm run new-bot\`.\n${code}`;
}

/** The bridge to agents of the Agent Client Protocol, with all that it needs. */
export async function bundledBridge(): Promise<string> {
  const { code, imports } = await bundled({ input: join(root, 'packages/bridge/index.ts'), platform: 'node' });
  const others = imports.filter((name) => !name.startsWith('node:'));
  if (others.length > 0) throw new Error(`the bridge imports ${others.join(', ')}, so it would not run by itself`);
  return `// Parley's bridge to agents in one file, without dependencies. MIT licensed; the Agent Client Protocol's SDK in it is Apache-2.0.\n${code}`;
}

/** The declarations of the SDK. They import only zod, whose types describe what operations take and return. */
export async function bundledTypes(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-types-'));
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const project = join(root, 'scripts/packages/tsconfig.bot.json');
    await promisify(execFile)(process.execPath, [tsc, '-p', project, '--outDir', folder]);
    const entry = join(folder, 'parley-bot.d.ts');
    await writeFile(entry, reExports(folder));
    const { code, imports } = await bundled({
      input: entry,
      external: ['zod'],
      resolve: { alias: { '@parley/protocol': join(folder, 'protocol/index.d.ts') } },
      plugins: [dts({ dtsInput: true, emitDtsOnly: true, oxc: true, tsconfig: false })],
    });
    if (imports.join() !== 'zod') throw new Error(`the types of the SDK import ${imports.join(', ')}`);
    return `// The types of parley-bot.js. MIT licensed. Made by \`npm run new-bot\`.\n${code}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const reExports = (folder: string): string =>
  modules.map((file) => `export * from ${JSON.stringify(join(folder, file))};\n`).join('');

async function bundled(options: RolldownOptions): Promise<OutputChunk> {
  // On a busy machine the bundler would write about slow plugins to a user's terminal.
  const build = await rolldown({ ...options, checks: { bundlerTimings: false } });
  const { output } = await build.generate({ format: 'esm', comments: { jsdoc: true } });
  await build.close();
  const [chunk] = output;
  if (output.length !== 1) throw new Error(`the SDK has ${output.length} files`);
  return chunk;
}
