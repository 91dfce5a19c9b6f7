import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { processEnv } from '../servers/process-env.ts';
import { programNames, programs, use } from './programs.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

test('a test that uses a program without asking for it fails, also where the program is', () => {
  for (const name of programNames) expect(() => use(name)).toThrow(`needs('${name}')`);
});

test('tests start no program by its name but those of every POSIX system', () => {
  const files = globSync(['{packages,bench,scripts}/**/*.test.ts', 'packages/{testing,web/test}/**/*.ts'], {
    cwd: root,
    exclude: ['**/node_modules/**'],
  });
  const started = new Set(
    files.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/\b(?:spawn|execFile)(?:Sync)?\)?\(\s*'([^']+)'/g)].map(
        ([, program = '']) => program,
      ),
    ),
  );
  // pg_config is asked only where it is.
  expect([...started].toSorted()).toEqual(['/bin/sh', 'cp', 'mkfifo', 'pg_config', 'ps', 'true']);
});

test('a program that is installed while the tests run is missing until they have ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-programs-'));
  const file = join(folder, 'server');
  const code = `
    import { spawnSync } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    import { isHere } from './programs.ts';
    const before = isHere('redis');
    writeFileSync(${JSON.stringify(file)}, '', { mode: 0o755 });
    const look = "import { isHere } from './programs.ts'; process.stdout.write(String(isHere('redis')))";
    const worker = (env) => spawnSync(process.execPath, ['--input-type=module', '-e', look], { env }).stdout.toString();
    const { PARLEY_PROGRAMS: _, ...later } = process.env;
    process.stdout.write([before, isHere('redis'), worker(process.env), worker(later)].join());`;
  const env = { ...processEnv(), [programs.redis.variable]: file };
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { cwd, env });
  expect(stdout).toBe('false,false,false,true');
  rmSync(folder, { recursive: true });
});
