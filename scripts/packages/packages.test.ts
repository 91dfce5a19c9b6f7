import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { processEnv } from '@parley/testing/servers/process-env.ts';
import { createWorld } from '@parley/testing';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Manifest, readManifest } from './manifests.ts';
import { packageNames } from './pack.ts';
import { planRelease, ReleaseError } from './release-plan.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = fileURLToPath(new URL('program', import.meta.url));
/** Compiling takes seconds, and longer beside other tests. */
const PATIENCE_MS = 180_000;

let folder = '';
/** A program's folder, with the tarballs installed by npm. */
let app = '';
let release = { stdout: '', stderr: '' };

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-packages-')));
  release = await run(
    process.execPath,
    [join(root, 'scripts/release.ts'), '77.0.0', '--dry-run', '--no-image', '--out', '.'],
    folder,
  );
  app = join(folder, 'app');
  await mkdir(app);
  // What the registry would send is taken from this repository, so that nothing is downloaded.
  const ours = packageNames.map((name) => [`@parley/${name}`, `file:../parley-${name}-77.0.0.tgz`]);
  const others = [
    'zod',
    'react',
    'react-dom',
    'scheduler',
    '@tanstack/react-virtual',
    '@tanstack/virtual-core',
    '@types/react',
    'csstype',
    '@types/node',
    'undici-types',
  ].map((name) => [name, `file:${root}node_modules/${name}`]);
  const manifest = { private: true, type: 'module', dependencies: Object.fromEntries([...ours, ...others]) };
  await writeFile(join(app, 'package.json'), JSON.stringify(manifest));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')], app);
  for (const file of ['converse.ts', 'main.js', 'start-service.js', 'view.ts'])
    await copyFile(join(program, file), join(app, file));
}, PATIENCE_MS);

afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (command: string, args: readonly string[], cwd: string): Promise<{ stdout: string; stderr: string }> =>
  promisify(execFile)(command, args, { cwd, env: processEnv() });

/** Runs a compiler, which prints errors to its output. Components of React need the types of browsers. */
async function compile(compiler: string, options: { lib: string[]; [name: string]: unknown }): Promise<string> {
  const files = options.lib.includes('dom') ? ['converse.ts', 'view.ts'] : ['converse.ts'];
  const compilerOptions = { strict: true, target: 'es2022', skipLibCheck: false, ...options };
  await writeFile(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  return run(process.execPath, [join(root, compiler), '-p', '.'], app).then(
    ({ stdout }) => stdout,
    (error: unknown) => {
      const { stdout, stderr } = error as { stdout?: string; stderr?: string }; // as execFile rejects
      return stdout || stderr || String(error);
    },
  );
}

/** Runs a program as a person and a bot of a real service; resolves to what the person read. */
async function conversation(main: string): Promise<unknown> {
  await using world = await createWorld();
  const alice = await world.person('alice');
  const bot = await world.bot(alice);
  return JSON.parse((await run(process.execPath, [main, world.url, alice.token, bot.token], app)).stdout);
}

const whatWasRead = ['One', 'One and two'];

describe('PACK-1: a package', () => {
  test.each(packageNames)('%s contains its compiled code, its declarations and their sources', async (name) => {
    const installed = join(app, 'node_modules/@parley', name);
    const files = globSync('**/*.*', { cwd: installed });
    const code = files.filter((file) => file.endsWith('.js'));
    expect(code).toContain('index.js');
    const others = files.filter((file) => !/\.(js|js\.map|d\.ts)$/.test(file)).toSorted();
    const more = { protocol: ['samples.json'], client: [], react: ['styles.css'], 'testing-kit': [] }[name];
    expect(others).toEqual(['README.md', 'package.json', ...more]);
    for (const file of code) {
      expect(files).toEqual(expect.arrayContaining([`${file}.map`, file.replace(/\.js$/, '.d.ts')]));
      // As tsc writes it.
      const map = JSON.parse(await readFile(join(installed, `${file}.map`), 'utf8')) as Record<string, unknown>;
      const stem = join(root, 'packages', name, file.replace(/\.js$/, '.ts'));
      const source = await readFile(existsSync(stem) ? stem : `${stem}x`, 'utf8');
      expect(map).toMatchObject({ sources: [expect.not.stringContaining('/')], sourcesContent: [source] });
    }
    const licence = await readFile(join(installed, 'LICENSE'), 'utf8');
    expect(licence).toBe(await readFile(join(root, 'LICENSE'), 'utf8'));
    const manifest = await readManifest(installed);
    // Otherwise webpack would leave out an imported style sheet.
    const sideEffects = name === 'react' ? ['*.css'] : false;
    expect(manifest).toMatchObject({ license: 'MIT', sideEffects, engines: { node: '>=20' }, type: 'module' });
    expect(manifest.private).toBeUndefined();
  });

  test.each(packageNames)('%s imports only its own files and packages that it depends on', async (name) => {
    const installed = join(app, 'node_modules/@parley', name);
    const { dependencies = {}, peerDependencies = {} } = await readManifest(installed);
    for (const file of globSync('**/*.{js,d.ts}', { cwd: installed })) {
      const text = await readFile(join(installed, file), 'utf8');
      for (const [, imported = ''] of text.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)) {
        const own = join(dirname(file), imported);
        if (imported.startsWith('.'))
          expect([file, existsSync(join(installed, own))]).toEqual([file, !own.startsWith('..')]);
        else if (!(imported.startsWith('node:') && name === 'testing-kit'))
          expect(Object.keys({ ...dependencies, ...peerDependencies })).toContain(
            /^(@[^/]+\/)?[^/]+/.exec(imported)?.[0],
          );
      }
    }
  });
});

test(
  'PACK-2, PACK-3: a program compiles under TypeScript 5.9 with the types of Node, and runs on Node',
  async () => {
    const options = { module: 'nodenext', lib: ['es2022'], types: ['node'] };
    const compiler = 'packages/testing/node_modules/typescript/bin/tsc';
    expect(await compile(compiler, options)).toBe('');
    expect(await compile(compiler, { ...options, lib: ['es2022', 'dom'], types: [] })).toBe('');
    expect(await conversation('main.js')).toEqual(whatWasRead);
  },
  PATIENCE_MS,
);

test(
  'PACK-2, PACK-4: a program compiles under TypeScript 7 with the types of browsers, and runs in one file without zod',
  async () => {
    const options = { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] };
    expect(await compile('node_modules/typescript/bin/tsc', options)).toBe('');
    const build = await rolldown({ input: join(app, 'main.js'), platform: 'browser', cwd: app });
    const { output } = await build.write({ file: join(app, 'bundle.js'), format: 'esm' });
    await build.close();
    expect(output.flatMap((chunk) => ('moduleIds' in chunk ? chunk.moduleIds : []))).not.toContainEqual(
      expect.stringContaining('zod'),
    );
    expect(output).toMatchObject([{ imports: [], dynamicImports: [] }]);
    expect(await conversation('bundle.js')).toEqual(whatWasRead);
  },
  PATIENCE_MS,
);

test(
  'TESTKIT-4, TESTKIT-5: installed from its tarball, the kit starts a service from a checkout, also in its own process',
  async () => {
    const env = { ...processEnv(), PARLEY_CHECKOUT: root };
    for (const args of [['start-service.js'], ['start-service.js', 'in-process']]) {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: app, env });
      expect([JSON.parse(stdout), stderr]).toEqual([['hello'], '']);
    }
  },
  PATIENCE_MS,
);

test('PACK-5: without a WebSocket the client says what to pass', async () => {
  await writeFile(
    join(app, 'old.js'),
    `import { createClient } from '@parley/client';
try {
  createClient({ url: 'http://127.0.0.1:9', token: 's_x' });
} catch (error) {
  process.stdout.write(error.message);
}`,
  );
  const { stdout } = await run(process.execPath, ['--no-experimental-websocket', 'old.js'], app);
  expect(stdout).toBe('there is no WebSocket here: pass one as `WebSocket`, for example that of the package ws');
});

describe('PACK-6: a release', () => {
  test('with --dry-run says what it would change, and packs the tarballs in the new version', async () => {
    const [, notes = ''] = release.stdout.split('Version 77.0.0\n\n');
    const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
    expect(changelog).toContain(`## [Unreleased]\n\n${notes.split('\n\nFiles that would')[0]}`);
    for (const file of ['CHANGELOG.md', 'package.json', 'sdk/python/pyproject.toml', 'package-lock.json'])
      expect(release.stdout).toContain(`  ${file}\n`);
    expect(release.stdout).toMatch(
      /parley-protocol-77\.0\.0\.tgz.*\n.*parley-client-77\.0\.0\.tgz.*\n.*parley-react-77\.0\.0\.tgz/,
    );
    expect(release.stdout).toContain('\nNo image: --no-image was given\n');
    const { version, dependencies } = await readManifest(join(app, 'node_modules/@parley/client'));
    expect([version, dependencies]).toEqual(['77.0.0', { '@parley/protocol': '77.0.0' }]);
    expect((await readManifest(root)).version).not.toBe('77.0.0');
  });

  test('gives every package the version, and moves the notes to it', async () => {
    const { version: former } = await readManifest(root);
    const [major, minor] = former.split('.');
    const { version, files, notes } = await planRelease(root, '2030-01-31');
    expect(version).toBe(`${major}.${Number(minor) + 1}.0`);
    expect(files.get('CHANGELOG.md')).toContain(`## [Unreleased]\n\n## [${version}] - 2030-01-31\n\n${notes}`);
    for (const [path, text] of files) {
      if (!path.endsWith('package.json')) continue;
      const { dependencies = {}, version: own } = JSON.parse(text) as Manifest; // planned as one
      const ours = Object.entries(dependencies).filter(([name]) => name.startsWith('@parley/'));
      expect([path, own, ours.filter(([, range]) => range !== version)]).toEqual([path, version, []]);
      // Nothing else changes.
      expect(text.replaceAll(version, former)).toBe(await readFile(join(root, path), 'utf8'));
    }
    expect([...files.keys()]).toEqual(
      expect.arrayContaining(globSync('{packages/*,bench}/package.json', { cwd: root })),
    );
    expect(files.get('sdk/python/pyproject.toml')).toContain(`\nversion = "${version}"\n`);
    // Written by npm.
    const { packages } = JSON.parse(files.get('package-lock.json') ?? '') as { packages: Record<string, Manifest> };
    expect(packages['packages/client']).toMatchObject({ version, dependencies: { '@parley/protocol': version } });
    expect(packages['node_modules/zod']?.version).not.toBe(version);
  });

  test('has no notes right after another one', async () => {
    const released = join(folder, 'released');
    for (const [name, text] of (await planRelease(root, '2030-01-31', '78.0.0')).files) {
      await mkdir(dirname(join(released, name)), { recursive: true });
      await writeFile(join(released, name), text);
    }
    const manifest = { ...(await readManifest(root)), version: '78.0.0', workspaces: [] };
    await writeFile(join(released, 'package.json'), JSON.stringify(manifest));
    const { notes, files } = await planRelease(released, '2030-02-28');
    expect(notes).toBe('');
    expect(files.get('CHANGELOG.md')).toContain(
      '## [Unreleased]\n\n## [78.1.0] - 2030-02-28\n\n## [78.0.0] - 2030-01-31\n',
    );
  });

  test('refuses a version that is not later', async () => {
    const { version } = await readManifest(root);
    for (const refused of [version, '0.0.9', 'next', '1.0'])
      await expect(planRelease(root, '2030-01-31', refused)).rejects.toThrow(ReleaseError);
  });
});
