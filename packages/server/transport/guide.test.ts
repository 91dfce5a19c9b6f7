import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { serveGuide } from './guide.ts';

const sections = [
  { title: 'Guides', pages: [{ title: 'Bots', address: 'bots.md', summary: 'An agent that you run.' }] },
];

async function serve() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-guide-'));
  mkdirSync(join(folder, 'spec'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Parley</title>');
  writeFileSync(join(folder, 'spec/log.html'), '<!doctype html><title>The log</title>');
  writeFileSync(join(folder, 'bots.md'), '# Bots');
  writeFileSync(join(folder, 'search.js'), `'${'x'.repeat(2_000)}'`);
  writeFileSync(join(folder, 'pages.json'), JSON.stringify(sections));
  const app = Fastify();
  const pages = serveGuide(app, `${folder}/`);
  return {
    pages,
    get: (url: string, headers = {}) => app.inject({ method: 'GET', url, headers }),
    async [Symbol.asyncDispose]() {
      await app.close();
      rmSync(folder, { recursive: true });
    },
  };
}

test('DOCS-2: the files of the guide are served below /docs/guide, and nothing else of the machine', async () => {
  await using guide = await serve();
  expect(guide.pages).toEqual(sections);
  const page = await guide.get('/docs/guide/');
  expect([page.statusCode, page.body]).toEqual([200, '<!doctype html><title>Parley</title>']);
  expect((await guide.get('/docs/guide/spec/log.html')).body).toContain('The log');
  expect((await guide.get('/docs/guide/bots.md')).headers['content-type']).toBe('text/markdown; charset=utf-8');
  const bare = await guide.get('/docs/guide');
  expect([bare.statusCode, bare.headers['location']]).toEqual([308, '/docs/guide/']);
  for (const path of ['/docs/guide/none.html', '/docs/guide/../package.json', '/docs/guide/..%2fpackage.json'])
    expect([path, (await guide.get(path)).statusCode]).toEqual([path, 404]);
});

test('DOCS-2: the pages of the guide have a strict policy, are compressed on request, and revalidated', async () => {
  await using guide = await serve();
  const { headers, body } = await guide.get('/docs/guide/search.js');
  expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(headers['content-security-policy']).not.toContain('unsafe');
  expect([headers['x-content-type-options'], headers['cache-control']]).toEqual(['nosniff', 'no-cache']);
  const packed = await guide.get('/docs/guide/search.js', { 'accept-encoding': 'gzip' });
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(packed.rawPayload).toString()).toBe(body);
  const again = await guide.get('/docs/guide/search.js', { 'if-none-match': headers['etag'] });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

test('DOCS-2: a service whose guide is not built has no page at /docs/guide', async () => {
  const app = Fastify();
  expect(serveGuide(app, '/nowhere/at/all/')).toEqual([]);
  expect((await app.inject({ method: 'GET', url: '/docs/guide/' })).statusCode).toBe(404);
  await app.close();
});
