import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FOLDER_PREFIX, installedNode, serviceEnv, type ThrowawayService } from './throwaway.ts';

/** packages/server/in-process.ts of the checkout. */
interface InProcessModule {
  readonly startInProcess: (env: Readonly<Record<string, string>>) => Promise<ThrowawayService>;
}

/** Starts a service of the checkout in this process. */
export async function startInProcess(
  checkout: string,
  env: Readonly<Record<string, string>>,
): Promise<ThrowawayService> {
  installedNode(checkout);
  await assertNodeRuns(checkout);
  const file = join(checkout, 'packages/server/in-process.ts');
  if (!existsSync(file)) throw new Error(`${checkout} is too old for \`inProcess\`: leave it out`);
  // The checkout's own file, of which InProcessModule says what it exports.
  const server = (await import(pathToFileURL(file).href)) as InProcessModule;
  const folder = await mkdtemp(join(tmpdir(), FOLDER_PREFIX));
  try {
    const service = await server.startInProcess(serviceEnv(folder, env));
    let stopped: Promise<void> | undefined;
    return { url: service.url, stop: () => (stopped ??= end(service, folder)) };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function end(service: ThrowawayService, folder: string): Promise<void> {
  try {
    await service.stop();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The checkout's Node is an optional dependency, a package for each platform, all of one version. */
async function assertNodeRuns(checkout: string): Promise<void> {
  const text = await readFile(join(checkout, 'package.json'), 'utf8');
  // A checkout's package.json, as npm reads it.
  const { optionalDependencies = {} } = JSON.parse(text) as { optionalDependencies?: Record<string, string> };
  const [, needed = '0'] = Object.entries(optionalDependencies).find(([name]) => name.startsWith('node-')) ?? [];
  const own = process.versions.node;
  if (!isAtLeast(own, needed))
    throw new Error(
      `\`inProcess\` needs Node ${needed} or newer, and this is ${own}: leave \`inProcess\` out, and the service runs in a process of its own, on the Node of the checkout`,
    );
}

function isAtLeast(version: string, needed: string): boolean {
  const [own, least] = [version, needed].map((text) => text.split('.').map(Number));
  for (const [at, part] of (least ?? []).entries()) if (own?.[at] !== part) return (own?.[at] ?? 0) > part;
  return true;
}
