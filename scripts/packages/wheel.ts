// The wheel of the SDK for Python.
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The SDK in the repository. */
export const PYTHON_SDK = 'sdk/python';
/** The Python that has what the tests and the release need, in the versions of sdk/python/requirements.txt. */
export const python = process.env['SDK_PYTHON'] || join(root, PYTHON_SDK, '.venv/bin/python');

export const withProjectVersion = (pyproject: string, version: string): string =>
  pyproject.replace(/^version = ".*"$/m, `version = "${version}"`);

/** Writes the wheel into `parent`, without downloading anything; resolves to its name. */
export async function buildWheel(parent: string, version: string): Promise<string> {
  const folder = join(parent, 'python');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const name of ['parley_bot', 'README.md'])
    await cp(join(root, PYTHON_SDK, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.includes('__pycache__'),
    });
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const pyproject = await readFile(join(root, PYTHON_SDK, 'pyproject.toml'), 'utf8');
  await writeFile(join(folder, 'pyproject.toml'), withProjectVersion(pyproject, version));
  // The time of the files in the wheel: the same sources give the same bytes.
  const env = { ...process.env, SOURCE_DATE_EPOCH: '1767225600' };
  await promisify(execFile)(python, ['-m', 'flit_core.wheel', '--outdir', parent, folder], { env });
  return `parley_bot-${version}-py3-none-any.whl`;
}
