// The Python of the tests: an environment with the exact packages of sdk/python/requirements.txt.
import { fileURLToPath } from 'node:url';
import { describe } from 'vitest';
import { PYTHON_SDK } from '../../../scripts/packages/wheel.ts';
import { needs } from '../programs/needs.ts';

export { python } from '../../../scripts/packages/wheel.ts';
export const sdkFolder = fileURLToPath(new URL(`../../../${PYTHON_SDK}`, import.meta.url));
/** The SDK is imported from its sources, beside which nothing is written. */
export const pythonEnv = { PYTHONPATH: sdkFolder, PYTHONDONTWRITEBYTECODE: '1' };

/** A suite that needs Python. */
export function describeWithPython(name: string, timeout: number, suite: () => void): void {
  describe(name, { ...needs('python'), timeout }, () => {
    suite();
  });
}
