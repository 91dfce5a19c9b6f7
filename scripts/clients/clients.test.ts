// The published description as others' tools read it: `npm run try-packages`. Generators make clients of it, which compile
// and take a person's first steps against a service; linters and Schemathesis check it. Their versions are fixed here.
import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createWorld, type World } from '@parley/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const here = fileURLToPath(new URL('.', import.meta.url));
/** Installing, generating and compiling take minutes on a busy machine. */
const PATIENCE_MS = 600_000;

const npmPackages = [
  '@hey-api/openapi-ts@0.95.0',
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
  '@types/node@26.6.6',
  'openapi-fetch@0.17.0',
  'openapi-typescript@7.13.0',
  'typescript@5.9.3',
];
const pythonPackages = ['openapi-python-client==0.29.1', 'schemathesis==4.32.5'];
const openapiGenerator = '7.23.0';
const oapiCodegen = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';

let folder = '';
let world: World;
let token = '';

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-clients-')));
  await cp(here, folder, { recursive: true });
  world = await createWorld({ env: { RATE_LIMITS: '0' } });
  token = (await world.person('fuzzer')).token;
  for (const name of ['openapi.json', 'asyncapi.json'])
    await writeFile(join(folder, name), await (await fetch(`${world.url}/${name}`)).text());
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await run('npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', ...npmPackages);
}, PATIENCE_MS);

afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a program in the folder, and returns what it prints. */
async function run(program: string, ...args: readonly string[]): Promise<string> {
  const paths = [join(folder, 'venv', 'bin'), process.env['PATH']];
  const env = { ...process.env, PATH: paths.join(delimiter), PYTHONPATH: folder, PARLEY_TOKEN: token };
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, { cwd: folder, env, maxBuffer: 2 ** 26 });
    return stdout + stderr;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }; // as execFile rejects
    throw new Error(`${program} ${args.join(' ')}: ${stdout ?? ''}\n${stderr ?? String(error)}`, { cause: error });
  }
}
const npx = async (...args: readonly string[]): Promise<string> => run('npm', 'exec', '--', ...args);
const isThere = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args).status === 0;

test(
  'API-15: clients for TypeScript, by openapi-typescript and by hey-api, compile and work',
  async () => {
    await npx('openapi-typescript', 'openapi.json', '-o', 'smoke/parley-api.ts');
    await npx('openapi-ts');
    await npx('tsc');
    for (const [index, name] of ['openapi-fetch', 'hey-api'].entries())
      expect(await run('node', `smoke/${name}.ts`, world.url, `typescript${index}`)).toBe('');
  },
  PATIENCE_MS,
);

test.skipIf(!isThere('go', 'version'))(
  'API-15: a client for Go, by oapi-codegen, compiles and works',
  async () => {
    await run('go', 'mod', 'init', 'clients');
    await mkdir(join(folder, 'parley'));
    await run('go', 'run', oapiCodegen, '-config', 'oapi-codegen.yaml', 'openapi.json');
    await run('go', 'mod', 'tidy');
    await run('go', 'vet', './...');
    expect(await run('go', 'run', './smoke', world.url, 'gopher')).toBe('');
  },
  PATIENCE_MS,
);

const lacksPython = !isThere('python3', '-c', 'import sys, venv; sys.exit(sys.version_info < (3, 11))');

const installPython = async (): Promise<void> => {
  if (isThere(join(folder, 'venv', 'bin', 'schemathesis'), '--version')) return;
  await run('python3', '-m', 'venv', 'venv');
  await run('pip', 'install', '--quiet', ...pythonPackages);
};

test.skipIf(lacksPython)(
  'API-15: a client for Python, by openapi-python-client, is made without a warning and works',
  async () => {
    await installPython();
    const made = await run(
      'openapi-python-client',
      'generate',
      '--path',
      'openapi.json',
      '--output-path',
      'parley_api',
      '--meta',
      'none',
    );
    expect(made).toBe('Generating parley_api\n');
    expect(await run('python', 'smoke/openapi_python_client.py', world.url, 'python')).toBe('');
  },
  PATIENCE_MS,
);

test.skipIf(lacksPython || !isThere('java', '-version') || !isThere('mvn', '--version'))(
  'API-15: a client for Python, by OpenAPI Generator, installs and works',
  async () => {
    const artifact = `org.openapitools:openapi-generator-cli:${openapiGenerator}`;
    await run('mvn', '-q', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`);
    const jar = `openapi-generator-cli-${openapiGenerator}.jar`;
    const options = ['-i', 'openapi.json', '-g', 'python', '-o', 'generated', '--package-name', 'parley_api'];
    await run('java', '-jar', jar, 'generate', ...options);
    // An environment of its own: the other generator's package has the same name.
    await run('python3', '-m', 'venv', 'generated-venv');
    const python = join(folder, 'generated-venv', 'bin', 'python');
    await run(python, '-m', 'pip', 'install', '--quiet', './generated');
    expect(await run(python, '-I', 'smoke/openapi_generator.py', world.url, 'generator')).toBe('');
  },
  PATIENCE_MS,
);

test(
  'API-16: the recommended rules of Redocly and Spectral find nothing in the documents',
  async () => {
    expect(await npx('redocly', 'lint', '--extends', 'recommended', 'openapi.json')).not.toMatch(
      /\d+ (?:warning|error)/,
    );
    const checked = await npx(
      'spectral',
      'lint',
      '--ruleset',
      'spectral.yaml',
      '--fail-severity',
      'hint',
      'openapi.json',
      'asyncapi.json',
    );
    expect(checked).toContain('No results');
  },
  PATIENCE_MS,
);

test.skipIf(lacksPython)(
  'API-17: Schemathesis finds no answer that the description does not have, and no input that it should refuse',
  async () => {
    await installPython();
    await run(
      'schemathesis',
      '--config-file',
      'schemathesis.toml',
      'run',
      'openapi.json',
      '--url',
      world.url,
      '--no-color',
    );
  },
  PATIENCE_MS,
);
