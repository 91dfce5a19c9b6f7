import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { needs } from '../programs/needs.ts';
import { use } from '../programs/programs.ts';
import { Installation } from '../servers/installation.ts';
import { tie } from '../servers/lifeline.ts';
import { processEnv } from '../servers/process-env.ts';
import { documented, root } from './code-blocks.ts';
import { shell } from './programs.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-operator-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** What `npm ci` brings is here; it would remove the packages from under the other tests. */
const INSTALLED = 'npm() { [ "$1" = ci ] || command npm "$@"; }\n';

/** Starts a service with documented commands, calls a path of it, and stops it as a terminal does. */
async function startedBy(code: string, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const env = { ...processEnv(), HOME: folder, DATA_DIR: join(folder, 'data'), PORT: '0' };
  const child = spawn(use('bash'), ['-euo', 'pipefail', '-c', INSTALLED + code], { cwd: root, env, detached: true });
  tie(child);
  child.stderr.resume();
  const ended = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      // npm's own lines are no JSON.
      if (!line.includes('"msg":"ready"')) continue;
      const { url } = JSON.parse(line) as { url: string }; // the ready line of the service
      return await fetch(url + path, { headers });
    }
    throw new Error('the service ended before it was ready');
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
}

test('DOCS-5: the documented commands start the service', needs('bash'), async () => {
  const ready = await startedBy(documented('docs/guide/first-server.md', 'start'), '/readyz');
  expect([ready.status, existsSync(join(folder, 'data/parley.db'))]).toEqual([200, true]);
});

test(
  'DOCS-5: the documented commands start the service for the internet, without dev tokens',
  needs('bash'),
  async () => {
    const me = '/api/getMe';
    const authorization = { authorization: 'Bearer dev:ann' };
    expect((await startedBy(documented('docs/RUNNING.md', 'start'), me, authorization)).status).toBe(401);
    expect((await startedBy(documented('docs/guide/first-server.md', 'start-in-production'), '/readyz')).status).toBe(
      200,
    );
  },
);

test(
  'DOCS-5: the documented commands let the page of the first app in, and copy its files',
  needs('bash'),
  async () => {
    const origin = 'http://localhost:5173';
    const answer = await startedBy(documented('docs/guide/first-app.md', 'start-for-page'), '/healthz', { origin });
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    await mkdir(join(folder, 'my-chat'));
    await symlink(root, join(folder, 'parley'));
    await shell(documented('docs/guide/first-app.md', 'copy-app'), {}, join(folder, 'my-chat'));
    expect(await readdir(join(folder, 'my-chat'))).toHaveLength(5);
  },
);

test('DOCS-5: the documented commands give a backend its key, trust its JWTs, and back up', needs('bash'), async () => {
  await using installation = new Installation();
  await installation.start();
  const support = await installation.member('support');
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks = JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] });
  const file = join(folder, 'jwks.json');
  await writeFile(file, jwks);
  const server = createServer((_, response) => void response.end(jwks)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const issuer = `http://127.0.0.1:${port}`;
  const env = { DATA_DIR: installation.dataDir, JWKS_ENDPOINTS: `public,${issuer}`, HOME: folder };
  const run = (code: string) =>
    shell(
      code
        .replaceAll(/https:\/\/(shop\.\w+(?:\.\w+)*\/\.well-known)/g, `${issuer}/$1`)
        .replaceAll(/(?<=--keys )jwks\.json/g, file)
        .replaceAll('parley-monday.db', join(folder, 'parley-monday.db')),
      env,
      root,
    );
  const key = (await run(documented('docs/RUNNING.md', 'backend-key'))).trim().split('\n').at(-1) ?? '';
  const backend_key = /\S+$/.exec(key)?.[0] ?? '';
  await support.api.createUserToken({ backend_key, external_id: 'user-7', display_name: 'Ann' });
  for (const code of [
    documented('docs/guide/embedding.md', 'trust-file'),
    documented('docs/guide/embedding.md', 'trust-address'),
    documented('docs/RUNNING.md', 'backend-trust'),
  ])
    await run(code);
  expect((await installation.admin('backends list')).out).toContain(`${issuer}/shop.example/.well-known/jwks.json`);
  await run(documented('docs/guide/first-server.md', 'backup'));
  expect(existsSync(join(folder, 'parley-monday.db'))).toBe(true);
  expect(await support.api.getMe()).toMatchObject({ username: 'support' });
  server.close();
});
