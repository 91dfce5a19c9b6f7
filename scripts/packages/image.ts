// The image of the service, which Docker builds from the Dockerfile.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const docker = (...args: string[]) => promisify(execFile)('docker', args, { cwd: root, maxBuffer: 2 ** 26 });

/** Why Docker cannot build an image here; null if it can. */
export async function whyNoImage(): Promise<string | null> {
  try {
    await docker('version', '--format', '{{.Server.Version}}');
    return null;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string }; // as execFile rejects
    return code === 'ENOENT' ? 'docker is not installed' : stderr.trim().split('\n')[0] || 'docker does not answer';
  }
}

export const imageTags = (version: string): string[] => [`parley:${version}`, 'parley:latest'];

/**
 * Builds the image of this folder under these tags, and saves it in `parent` as an OCI archive; resolves to the archive's
 * name. `deploy/compose.yaml` runs what has the tag `latest`.
 */
export async function buildImage(parent: string, version: string, tags: readonly string[]): Promise<string> {
  await docker('build', ...tags.flatMap((tag) => ['--tag', tag]), '.');
  const archive = `parley-${version}-image.tar`;
  await docker('save', '--output', join(parent, archive), ...tags);
  return archive;
}
