import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createWorld, type Actor, type World } from '@parley/testing';
import { needs } from '@parley/testing/programs/needs.ts';
import { type ProgramName, use } from '@parley/testing/programs/programs.ts';
import { freePort } from '@parley/testing/servers/free-port.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { started } from './started.ts';

const run = promisify(execFile);
const deploy = (name: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url)), 'utf8');

let folder = '';
let world: World;
let ann: Actor;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-proxies-')));
  world = await createWorld({ env: { TRUSTED_PROXIES: '127.0.0.1', DEV_TOKENS: '0' } });
  ann = await world.member('ann');
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true });
});

/** Runs a proxy while `work` uses it. */
async function behind(name: ProgramName, args: readonly string[], port: number, work: () => Promise<void>) {
  await using _ = await started(use(name), { args, port, folder });
  await work();
}

const params = (method: string, input: object) => ({
  method: 'POST',
  headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' },
  body: JSON.stringify(input),
  path: `/api/${method}`,
});

/** A call over HTTP/2, with a certificate that nobody has signed. */
async function overHttp2(port: number): Promise<unknown> {
  const session = connect(`https://localhost:${port}`, { rejectUnauthorized: false });
  const { headers, body, path } = params('getMe', {});
  const stream = session.request({ ':method': 'POST', ':path': path, ...headers });
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  stream.end(body);
  await once(stream, 'end');
  session.close();
  return JSON.parse(text);
}

/** A socket gets the event of a message that is sent beside the proxy. */
async function socketWorks(url: string): Promise<void> {
  const socket = new WebSocket(`${url}/api/ws?token=${ann.token}`, { rejectUnauthorized: false });
  const seen = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => {
      if (data.toString().includes('through the proxy')) resolve();
    });
  });
  await once(socket, 'open');
  const { id: chat_id } = await ann.api.startChat({ usernames: [], title: 'a group' });
  await ann.api.sendMessage({ chat_id, text: 'through the proxy' });
  await seen;
  socket.close();
  await once(socket, 'close');
}

const metricsAreHidden = async (url: string) => expect((await fetch(`${url}/metrics`)).status).toBe(404);

test(
  'DEPLOY-3: nginx with deploy/nginx.conf passes calls over HTTP/2 and sockets',
  needs('nginx', 'openssl'),
  async () => {
    const [port, plainPort] = [await freePort(), await freePort()];
    const key = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
    await run(use('openssl'), [...key, '-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]);
    const { stderr: version } = await run(use('nginx'), ['-v']);
    const [, major = 0, minor = 0] = /(\d+)\.(\d+)\./.exec(version) ?? [];
    // As the comment beside the line says.
    const isOld = Number(major) === 1 && Number(minor) < 25;
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join('\n');
    const file = join(folder, 'nginx.conf');
    const conf = (await deploy('nginx.conf'))
      .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl${isOld ? ' http2' : ''};`)
      .replace(/listen \[::\]:443 ssl;\n/, '\n')
      .replace(/^\s*http2 on;$/m, isOld ? '' : '$&')
      .replaceAll('/etc/nginx/tls/', `${folder}/`)
      .replaceAll('/var/log/nginx/', `${folder}/`)
      .replace(/server node1:8080/, `server ${new URL(world.url).host}`)
      .replaceAll(/^\s*server node[23]:8080.*$/gm, '')
      .replace(/^http \{$/m, `http {\n${temporary}`);
    await writeFile(file, `pid ${folder}/nginx.pid;\ndaemon off;\nuser root;\n${conf}`);
    await behind('nginx', ['-p', folder, '-e', join(folder, 'error.log'), '-c', file], port, async () => {
      expect(await overHttp2(port)).toMatchObject({ ok: true, result: { username: 'ann' } });
      await socketWorks(`wss://localhost:${port}`);
      const log = await readFile(join(folder, 'access.log'), 'utf8');
      expect(log).toContain('/api/getMe 200');
      expect(log).not.toContain(ann.token);
    });
  },
);

test('DEPLOY-3: Caddy with deploy/Caddyfile passes calls and sockets', needs('caddy'), async () => {
  const port = await freePort();
  const file = join(folder, 'Caddyfile');
  const conf = (await deploy('Caddyfile'))
    .replace('{$PUBLIC_URL:http://localhost}', `http://localhost:${port}`)
    .replace(/\{\$NODES:[^}]*\}/, new URL(world.url).host)
    // Caddy 2.6 has no such option yet; the document asks for a newer one.
    .replace(/^\s*0rtt off$/m, '')
    .replace(/^\{$/m, '{\n\tadmin off');
  await writeFile(file, conf);
  await behind('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], port, async () => {
    const url = `http://localhost:${port}`;
    const { path, ...request } = params('getMe', {});
    expect(await (await fetch(url + path, request)).json()).toMatchObject({ ok: true });
    await socketWorks(`ws://localhost:${port}`);
    await metricsAreHidden(url);
  });
});

test('DEPLOY-3: HAProxy passes calls and sockets', needs('haproxy'), async () => {
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  await writeFile(
    file,
    `defaults
  mode http
  timeout connect 1s
  timeout client 80s
  timeout server 80s
  timeout tunnel 80s
listen parley
  bind 127.0.0.1:${port}
  option forwardfor
  option httpchk GET /readyz
  server one ${new URL(world.url).host} check
`,
  );
  await behind('haproxy', ['-f', file, '-db'], port, async () => {
    const { path, ...request } = params('getMe', {});
    expect(await (await fetch(`http://127.0.0.1:${port}${path}`, request)).json()).toMatchObject({ ok: true });
    await socketWorks(`ws://127.0.0.1:${port}`);
  });
});

test('OPS-2: promtool has no complaint about the metrics', needs('promtool'), async () => {
  await ann.api.getMe();
  const text = await (await fetch(`${world.url}/metrics`)).text();
  const child = spawn(use('promtool'), ['check', 'metrics']);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  child.stdin.end(text);
  const [code] = await once(child, 'exit');
  expect([code, said]).toEqual([0, '']);
});
