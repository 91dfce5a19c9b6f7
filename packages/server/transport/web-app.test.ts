import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { createWorld } from '@parley/testing';
import { expect, test } from 'vitest';
import { serveWebApp, wantsPage } from './web-app.ts';

/** A minimal build: a page, a script with a content hash in its name, and a service worker. */
async function serve(widgetOrigins: string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-web-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Parley</title>');
  writeFileSync(join(folder, 'assets/app-1a2b.js'), `console.log('${'x'.repeat(2_000)}')`);
  writeFileSync(join(folder, 'assets/app-1a2b.js.br'), brotliCompressSync(`console.log('${'x'.repeat(2_000)}')`));
  mkdirSync(join(folder, 'assets/diagrams-1a2b'));
  writeFileSync(join(folder, 'assets/diagrams-1a2b/frame.html'), '<!doctype html>');
  writeFileSync(join(folder, 'service-worker.js'), 'self');
  writeFileSync(join(folder, 'widget.html'), '<!doctype html><title>Chat</title>');
  writeFileSync(join(folder, 'widget.js'), 'load');
  const refused: string[] = [];
  const app = Fastify();
  const webApp = serveWebApp(app, {
    widgetOrigins,
    logRefusedEmbedder: (origin) => refused.push(origin),
    folder: `${folder}/`,
  });
  app.setNotFoundHandler((request, reply) =>
    webApp && wantsPage(request) ? webApp.sendMissing(request, reply) : reply.code(404).send({ ok: false }),
  );
  return {
    isServed: webApp !== null,
    refused,
    get: (url: string, headers = {}) => app.inject({ method: 'GET', url, headers }),
    async [Symbol.asyncDispose]() {
      await app.close();
      rmSync(folder, { recursive: true });
    },
  };
}

test('WEB-1: every path of the app serves the same page, and no other path does', async () => {
  await using app = await serve();
  expect(app.isServed).toBe(true);
  for (const path of [
    '/',
    '/admin',
    '/admin/accounts',
    '/chat/1',
    '/chat/1/thread/2?m=3',
    '/agents',
    '/browse',
    '/inbox',
    '/join/i_token',
    '/new',
    '/share?text=a',
    '/settings',
    '/settings/agents',
  ]) {
    const { statusCode, headers, body } = await app.get(path);
    expect([path, statusCode, body]).toEqual([path, 200, '<!doctype html><title>Parley</title>']);
    expect(headers['cache-control']).toBe('no-cache');
  }
  for (const path of [
    '/index.html',
    '/assets',
    '/assets/other.js',
    '/../package.json',
    '/assets/..%2f..%2fpackage.json',
  ])
    expect([path, (await app.get(path)).statusCode]).toEqual([path, 404]);
});

test('WEB-1: a file with a content hash in its name is cached forever, the others are revalidated', async () => {
  await using app = await serve();
  const script = await app.get('/assets/app-1a2b.js', { 'accept-encoding': 'gzip' });
  expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(script.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(script.rawPayload).toString()).toMatch(/^console\.log/);
  const worker = await app.get('/service-worker.js');
  expect([worker.headers['cache-control'], worker.headers['content-type']]).toEqual([
    'no-cache',
    'text/javascript; charset=utf-8',
  ]);
  const again = await app.get('/service-worker.js', { 'if-none-match': worker.headers.etag });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

test('WEB-637: what the build has packed with Brotli is sent so to browsers that accept it, everything else as gzip', async () => {
  await using app = await serve();
  const plain = await app.get('/assets/app-1a2b.js');
  expect(plain.headers['content-encoding']).toBeUndefined();
  const wide = await app.get('/assets/app-1a2b.js', { 'accept-encoding': 'gzip, deflate, br' });
  expect(wide.headers).toMatchObject({ 'content-encoding': 'br', etag: plain.headers.etag });
  expect(wide.headers['vary']).toMatch(/accept-encoding/);
  expect(brotliDecompressSync(wide.rawPayload).equals(plain.rawPayload)).toBe(true);
  const narrow = await app.get('/assets/app-1a2b.js', { 'accept-encoding': 'br;q=0, gzip' });
  expect(narrow.headers['content-encoding']).toBe('gzip');
  const other = await app.get('/service-worker.js', { 'accept-encoding': 'br, gzip' });
  expect(other.headers['content-encoding']).toBe('gzip');
});

test('WEB-2: the policy allows only the service’s own files: nothing inline, nothing from other hosts', async () => {
  await using app = await serve();
  const { headers } = await app.get('/');
  const policy = new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((part) => [part.slice(0, part.indexOf(' ')), part.slice(part.indexOf(' ') + 1)]),
  );
  for (const [kind, sources] of policy) {
    expect([kind, sources]).not.toEqual([kind, expect.stringContaining('unsafe')]);
    expect([kind, sources]).toEqual([kind, expect.stringMatching(/^('none'|'self'( data:)?( blob:)?)$/)]);
  }
  expect(policy.get('default-src')).toBe("'none'");
  expect(headers['x-content-type-options']).toBe('nosniff');
});

test('WEB-176: the page in which diagrams are drawn has an opaque origin and loads nothing but its scripts', async () => {
  await using app = await serve();
  const { headers } = await app.get('/assets/diagrams-1a2b/frame.html');
  expect(String(headers['content-security-policy']).split('; ')).toEqual([
    'sandbox allow-scripts',
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ]);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
});

const ancestorsOf = ({ headers }: { headers: Record<string, unknown> }): string | undefined =>
  / frame-ancestors (.*)$/.exec(String(headers['content-security-policy']))?.[1];

test('WIDGET-2, CONFIG-27: only a page of a configured origin may show the widget, and none may show the app', async () => {
  await using app = await serve(['https://shop.example', 'http://localhost:3000']);
  const ask = (query: string) => app.get(`/widget${query}`, { 'sec-fetch-dest': 'iframe' });
  const shown = await ask('?origin=https%3A%2F%2Fshop.example');
  expect([shown.statusCode, shown.body]).toEqual([200, '<!doctype html><title>Chat</title>']);
  expect(shown.headers['cache-control']).toBe('no-store');
  // Without the other origin: together they would be a public list.
  expect(ancestorsOf(shown)).toBe('https://shop.example');
  expect(ancestorsOf(await ask('?origin=http://localhost:3000'))).toBe('http://localhost:3000');
  for (const query of ['', '?origin=', '?origin=https://other.example', '?origin=https://shop.example/', '?origin=*'])
    expect([query, ancestorsOf(await ask(query))]).toEqual([query, "'none'"]);
  const twice = await ask('?origin=https://shop.example&origin=https://other.example');
  expect(ancestorsOf(twice)).toBe("'none'");
  expect(ancestorsOf(await app.get('/chat/1'))).toBe("'none'");
  expect((await app.get('/widget.html')).statusCode).toBe(404);
  // Diagrams are drawn in a frame of the widget's frame.
  const { headers } = await app.get('/assets/diagrams-1a2b/frame.html');
  expect(headers['content-security-policy']).not.toContain('frame-ancestors');
});

test('WIDGET-2: without WIDGET_ORIGINS no page may show the widget', async () => {
  await using app = await serve();
  expect(ancestorsOf(await app.get('/widget?origin=https://shop.example'))).toBe("'none'");
});

test('WIDGET-1: pages of other origins load the script, and browsers revalidate it', async () => {
  await using app = await serve();
  const { headers, body } = await app.get('/widget.js');
  expect(body).toBe('load');
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
  });
  // Such a policy would refuse it to them.
  expect(headers['cross-origin-resource-policy']).toBeUndefined();
});

test('WIDGET-3: a refused page is reported if it is shown in a frame', async () => {
  await using app = await serve(['https://shop.example']);
  for (const origin of ['https://shop.example', 'https://other.example'])
    await app.get(`/widget?origin=${origin}`, { 'sec-fetch-dest': 'iframe' });
  await app.get('/widget?origin=https://typed.example', { 'sec-fetch-dest': 'document' });
  await app.get('/widget', { 'sec-fetch-dest': 'iframe' });
  expect(app.refused).toEqual(['https://other.example']);
});

test('WEB-1: without a build nothing is served', () => {
  const options = { widgetOrigins: [], logRefusedEmbedder: () => undefined };
  expect(serveWebApp(Fastify(), { ...options, folder: '/nowhere/at/all/' })).toBeNull();
});

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('WEB-14: a browser at an unknown address gets the app with status 404 and the app’s policy', async () => {
  await using app = await serve();
  for (const path of ['/nonsense', '/a/b?c=d', '/assets/other.js', '/apiary']) {
    const { statusCode, headers, body } = await app.get(path, browser);
    expect([path, statusCode, body]).toEqual([path, 404, '<!doctype html><title>Parley</title>']);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect([headers['cache-control'], headers.etag]).toEqual(['no-store', undefined]);
  }
  for (const accept of ['*/*', 'application/json', undefined])
    expect((await app.get('/nonsense', accept === undefined ? {} : { accept })).json()).toEqual({ ok: false });
});

test('WEB-14: under /api, and for requests that do not accept HTML, an unknown address is a JSON error', async () => {
  await using world = await createWorld();
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(world.url + path, { headers: browser, ...init });
    return [path, response.status, response.headers.get('content-type')];
  };
  const json = 'application/json; charset=utf-8';
  expect(await ask('/api/nonsense')).toEqual(['/api/nonsense', 401, json]);
  const authorization = `Bearer ${(await world.member('ann')).token}`;
  for (const [path, status] of [
    ['/api/nonsense', 404],
    ['/api/getMe', 405],
    ['/api', 404],
    ['/api/', 404],
  ] as const)
    expect(await ask(path, { headers: { ...browser, authorization } })).toEqual([path, status, json]);
  expect(await ask('/nonsense', { headers: { accept: '*/*' } })).toEqual(['/nonsense', 404, json]);
  expect(await ask('/nonsense', { method: 'POST' })).toEqual(['/nonsense', 404, json]);
});
