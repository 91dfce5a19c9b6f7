// The Python of the tests: an environment with the exact packages of sdk/python/requirements.txt.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe } from 'vitest';
import { python, PYTHON_SDK } from '../../../scripts/packages/wheel.ts';

export { python } from '../../../scripts/packages/wheel.ts';
export const sdkFolder = fileURLToPath(new URL(`../../../${PYTHON_SDK}`, import.meta.url));
/** The SDK is imported from its sources, beside which nothing is written. */
export const pythonEnv = { PYTHONPATH: sdkFolder, PYTHONDONTWRITEBYTECODE: '1' };

const HOW_PYTHON = 'skipped; CONTRIBUTING.md says how to make sdk/python/.venv';

/** A suite that needs Python; skipped with a line if its environment is not made, except in CI, where it fails. */
export function describeWithPython(name: string, timeout: number, suite: () => void): void {
  const skip = !existsSync(python) && process.env['CI'] !== 'true';
  if (skip) process.stderr.write(`${name}: ${HOW_PYTHON}\n`);
  describe(`${name}${skip ? ' (skipped)' : ''}`, { skip, timeout }, () => {
    suite();
  });
}
