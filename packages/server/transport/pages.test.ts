import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { eventNames, fieldNotes, operationNames, operations, type Operation } from '@parley/protocol';
import { createWorld } from '@parley/testing';
import { expect, test } from 'vitest';
import { fieldsTable } from './docs/fields.ts';
import { html, jsonView, prose } from './docs/html.ts';
import { frontPage } from './docs/layout.ts';
import { llmsTxt } from './docs/llms-txt.ts';
import { markdownOf } from './docs/markdown.ts';
import { docsPage } from './docs/page.ts';
import { wireSchemas } from './wire-schemas.ts';

const paths = ['/docs', '/docs.md', '/llms.txt', '/docs/style.css', '/openapi.json', '/asyncapi.json'];
const idsIn = (page: string) => new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));

test(
  'API-6: the pages need no token, load nothing from other hosts and have a strict policy',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    for (const path of paths) {
      const response = await fetch(world.url + path);
      const text = await response.text();
      expect(response.status, path).toBe(200);
      expect(response.headers.get('content-type')).toMatch(
        /^(text\/(html|css|markdown|plain)|application\/json); charset=utf-8$/,
      );
      expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(text).not.toMatch(/<script|<style|style="|onclick|(src|href)="(https?:)?\/\//);
      const head = await fetch(world.url + path, { method: 'HEAD' });
      expect([head.status, await head.text()], path).toEqual([200, '']);
      expect(head.headers.get('etag')).toBe(response.headers.get('etag'));
    }
  },
);

test(
  'API-6: an unchanged page is answered with 304, and pages are compressed on request',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    const first = await fetch(`${world.url}/docs`, { headers: { 'accept-encoding': 'identity' } });
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(`${world.url}/docs`, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const packed = await fetch(`${world.url}/docs`, { headers: { 'accept-encoding': 'gzip' } });
    expect([first, packed].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip']);
    expect(await packed.text()).toBe(await first.text());
  },
);

test('API-6: samples on /docs use the address at which the page is served', { tags: ['long'] }, async () => {
  await using world = await createWorld({ env: { DEV_TOKENS: '0' } });
  const { port } = new URL(world.url);
  const asked = async (host: string, headers: Record<string, string> = {}) =>
    [...(await docsAt(port, { host, ...headers })).matchAll(/curl -X POST (\S+)\/api\/getMe/g)].map(([, url]) => url);
  expect(await asked(`127.0.0.1:${port}`)).toEqual([`http://127.0.0.1:${port}`]);
  expect(await asked('chat.example')).toEqual(['http://chat.example']);
  expect(await asked('chat.example', { 'x-forwarded-proto': 'https' })).toEqual(['https://chat.example']);
  expect(await asked(`[::1]:${port}`)).toEqual([`http://[::1]:${port}`]);
  // A malicious Host never reaches a command line that readers copy.
  for (const host of ['$(reboot)', 'a;b', 'a"b', "a'b", 'a`b`', 'a&b'])
    expect(await asked(host)).toEqual(['http://127.0.0.1:8080']);
});

test('API-6: /docs uses PUBLIC_URL where it is set', { tags: ['long'] }, async () => {
  await using world = await createWorld({ env: { DEV_TOKENS: '0', PUBLIC_URL: 'https://chat.example/' } });
  const text = await docsAt(new URL(world.url).port, { host: 'backend.local' });
  expect(text).toContain('curl -X POST https://chat.example/api/getMe');
});

test('API-18: a new Host costs no compression: the same compressed pieces stand around each address', async () => {
  await using world = await createWorld({ env: { DEV_TOKENS: '0' } });
  const { port } = new URL(world.url);
  const piecesAt = async (host: string): Promise<string[]> => {
    const packed = await bytesAt(port, { host, 'accept-encoding': 'gzip' });
    // Without the checksum and length at the end, which depend on the address.
    return packed.subarray(0, -8).toString('latin1').split(`http://${host}`);
  };
  const [one, other] = [await piecesAt('one-host.example'), await piecesAt('two-host.example')];
  expect(one.length).toBeGreaterThan(1);
  expect(one).toEqual(other);
});

test('API-18: every page is the same text for every encoding and HEAD, at every address', async () => {
  await using world = await createWorld({ env: { DEV_TOKENS: '0' } });
  for (const path of paths) {
    const [plain, packed, head] = await Promise.all([
      fetch(world.url + path, { headers: { 'accept-encoding': 'identity' } }),
      fetch(world.url + path, { headers: { 'accept-encoding': 'gzip' } }),
      fetch(world.url + path, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } }),
    ]);
    const text = await plain.text();
    expect(await packed.text()).toBe(text);
    expect(head.headers.get('content-length')).toBe(`${Buffer.byteLength(text)}`);
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(Buffer.byteLength(text));
    expect(text).not.toContain('parley.invalid');
  }
});

const docsAt = async (port: string, headers: Record<string, string>): Promise<string> =>
  (await bytesAt(port, headers)).toString();

/** `fetch` does not allow setting the Host header. */
async function bytesAt(port: string, headers: Record<string, string>): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get({ port, path: '/docs', headers, agent: false }, resolve).on('error', reject);
  return buffer(await promise);
}

test('WEB-1: without the web app, / links to the documents', () => {
  const page = frontPage();
  for (const path of ['/docs', '/openapi.json', '/asyncapi.json']) expect(page).toContain(`href="${path}"`);
});

test('API-6: /docs has a section for every operation, event and resource, and no broken links', () => {
  const page = docsPage('https://chat.example', true);
  const ids = idsIn(page);
  const names = [
    ...operationNames,
    ...eventNames.map((name) => `events.${name}`),
    ...Object.keys(wireSchemas('draft-2020-12').resources),
  ];
  expect(new Set(names).difference(ids)).toEqual(new Set());
  const links = new Set([...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id));
  expect(links.difference(ids)).toEqual(new Set());
});

test('API-9: /docs.md has everything of /docs, without HTML', () => {
  const origin = 'https://chat.example';
  const text = markdownOf(docsPage(origin, true), origin);
  const titles = new Set([...text.matchAll(/^### (\S+)$/gm)].map(([, title]) => title));
  const resources = Object.keys(wireSchemas('draft-2020-12').resources);
  const named = [...operationNames, ...eventNames.map((name) => `events.${name}`), ...resources];
  expect(new Set(named).difference(titles)).toEqual(new Set());
  const prose = text.replaceAll(/^```\n.*?^```$/gms, '').replaceAll(/`[^`]*`/g, '');
  expect(prose).not.toMatch(/<\/?[a-z]+[ >]|&(?:lt|gt|amp|quot|#39);/);
  const [, section = ''] = /^### sendMessage\n(.*?)^### /ms.exec(text) ?? [];
  expect(section).toContain('`POST /api/sendMessage`, socket: `messages.send`, `conversation_id` for `chat_id`');
  expect(section).toContain('| `clear_draft` | boolean \\| `"timeline"` |  | true clears');
  expect(section).toMatch(/^Reply:\n\n```\n\{\n  "ok": true,$/m);
});

test('API-9: /llms.txt names documents that exist', async () => {
  await using world = await createWorld();
  const text = await (await fetch(`${world.url}/llms.txt`)).text();
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, url = '']) => url);
  expect(links.slice(0, 3)).toEqual(['/docs.md', '/openapi.json', '/asyncapi.json'].map((path) => world.url + path));
  // The pages of the guide, if it is built.
  for (const link of links.slice(3)) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
});

test('API-9, DOCS-2: /llms.txt lists the pages of the guide, and /docs links to it, if it is built', () => {
  const pages = [{ title: 'Writing a bot', address: 'bots.md', summary: 'A bot is an agent that you run yourself.' }];
  const text = llmsTxt('https://chat.example', [{ title: 'Guides', pages }]);
  expect(text).toContain(
    '\n## Guides\n\n- [Writing a bot](https://chat.example/docs/guide/bots.md): A bot is an agent that you run yourself.\n',
  );
  expect(llmsTxt('https://chat.example', [])).not.toContain('guide');
  expect(docsPage('https://chat.example', true)).toContain('href="/docs/guide/"');
  expect(docsPage('https://chat.example', false)).not.toContain('/docs/guide');
});

test('API-6: an operation lists its names, fields, errors and a sample', () => {
  const [, section = ''] =
    /<section id="sendMessage">(.*?)<\/section>/s.exec(docsPage('https://chat.example', true)) ?? [];
  const { errors }: Operation = operations.sendMessage;
  for (const part of [
    'POST /api/sendMessage',
    'messages.send',
    '<code>content</code> for <code>text</code>',
    '256 KiB',
  ])
    expect(section).toContain(part);
  for (const field of ['chat_id', 'thread_root_id', 'attachments']) expect(section).toContain(`<code>${field}</code>`);
  for (const code of errors) expect(section).toContain(code);
  expect(section).toContain('href="#Message"');
  expect(section).toContain('early');
});

test('API-10: the page shows the description of each field, also one that fields of its name share', () => {
  const page = docsPage('https://chat.example', true);
  const [, section = ''] = /<section id="sendMessage">(.*?)<\/section>/s.exec(page) ?? [];
  expect(section).toContain('<td>makes the message a poll</td>');
  expect(section).toContain(`<td>${fieldNotes['reply_to_message_id']}</td>`);
});

test('API-6: fields of nested objects have dotted names, and types have readable names', () => {
  const { text } = fieldsTable(
    {
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'object', properties: { b: { type: 'string', format: 'uuid' } } },
        c: { type: 'array', items: { type: 'object', properties: { d: { enum: ['x', 'y'] } } } },
        e: { anyOf: [{ $ref: '#/components/schemas/Message' }, { type: 'null' }] },
        f: { type: 'object', additionalProperties: { type: 'string' } },
        g: { type: 'string', 'x-max-bytes': 2048, minLength: 1, description: 'of `this`' },
      },
    },
    'sent',
  );
  const rows = text.split('<tr>').slice(2);
  const cells = rows.map((row) =>
    [...row.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell = '']) => cell.replace(/<\/?(code|a)[^>]*>/g, '')),
  );
  expect(cells).toEqual([
    ['a', 'object', 'required', ''],
    ['a.b', 'UUID', '', ''],
    ['c', 'object[]', '', ''],
    ['c[].d', '&quot;x&quot; | &quot;y&quot;', '', ''],
    ['e', 'Message | null', '', ''],
    ['f', 'map of string', '', ''],
    ['g', 'string', '', 'of this; not empty; at most 2 KiB'],
  ]);
});

test('API-6: text from samples is escaped', () => {
  const evil = '<script>alert("1")</script>';
  expect(html`<p>${evil}</p>`.text).toBe('<p>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;</p>');
  expect(prose(`\`${evil}\``).text).not.toContain('<script');
  const { text } = jsonView({ [evil]: evil, 'a\\"b': '\\" & \' <b>' });
  expect(text).not.toMatch(/<script|<b><b>/);
  const plain = text.replace(/<\/?(pre|code|b|i)[^>]*>/g, '');
  const read = plain.replace(
    /&(lt|gt|quot|amp|#39);/g,
    (_entity, name: string) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name] ?? "'",
  );
  expect(JSON.parse(read)).toEqual({ [evil]: evil, 'a\\"b': '\\" & \' <b>' });
});
