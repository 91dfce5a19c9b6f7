import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { processEnv } from '@parley/testing/servers/process-env.ts';
import { beforeAll, expect, test } from 'vitest';
import { contents } from './contents.ts';
import { Documents } from './documents.ts';
import { Anchors } from './headings.ts';
import { DeadLinkError, makeSite, type Site } from './site.ts';

/** Maximum time for building the site beside other tests. */
const BUILD_MS = 60_000;
const root = fileURLToPath(new URL('../../', import.meta.url));
let site: Site;
let pages: [address: string, html: string][];
beforeAll(async () => {
  site = await makeSite(root, '/docs');
  pages = [...site.files].flatMap(([address, text]) => (address.endsWith('.html') ? [[address, String(text)]] : []));
}, BUILD_MS);

const attributes = (html: string, ...names: string[]): string[] =>
  [...html.matchAll(new RegExp(String.raw`\s(?:${names.join('|')})="([^"]*)"`, 'g'))].map(([, value = '']) => value);

test('DOCS-1: every document in docs/ is a page, with the navigation, and the same text as Markdown', () => {
  for (const file of new Documents(root).documents()) {
    const address = new Documents(root).address(file);
    expect([address, site.files.has(address)]).toEqual([address, true]);
    expect(site.files.has(address.replace(/html$/, 'md')), address).toBe(true);
  }
  for (const [address, html] of pages) {
    for (const { title } of contents) expect([address, html.includes(`<h2>${title}</h2>`)]).toEqual([address, true]);
    expect(html, address).toMatch(/<title>[^<]+<\/title>/);
    expect([address, html.match(/<h1 /g)?.length]).toEqual([address, 1]);
  }
});

test(
  'DOCS-1: the command writes the site into a folder of the caller, with links to the named service',
  async () => {
    const parent = mkdtempSync(join(tmpdir(), 'parley-guide-'));
    const args = [join(root, 'packages/guide/build.ts'), 'site', '--service', 'https://chat.example/'];
    await promisify(execFile)(process.execPath, args, { env: { ...processEnv(), INIT_CWD: parent } });
    const written = readFileSync(join(parent, 'site/spec/log.html'), 'utf8');
    expect(written).toBe(String(site.files.get('spec/log.html')).replaceAll('"/docs"', '"https://chat.example/docs"'));
    rmSync(parent, { recursive: true });
  },
  BUILD_MS,
);

test('DOCS-3: a site with a link that leads nowhere is not built', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'parley-dead-'));
  mkdirSync(join(parent, 'docs/guide'), { recursive: true });
  writeFileSync(join(parent, 'docs/guide/a.md'), '# A\n\n[B](b.md), [C](../c.md), `[code](d.md)`');
  writeFileSync(join(parent, 'docs/guide/b.md'), '# B\n\n![a picture](b.png)');
  const links = ['docs/guide/a.md: ../c.md', 'docs/guide/b.md: b.png'];
  await expect(makeSite(parent, '/docs')).rejects.toThrow(new DeadLinkError(links));
  rmSync(parent, { recursive: true });
});

test('DOCS-3: every link of the site leads to a page that exists, and every anchor to a place on it', () => {
  const ids = new Map(pages.map(([address, html]) => [address, new Set(attributes(html, 'id'))]));
  const broken: string[] = [];
  for (const [address, html] of pages)
    for (const link of attributes(html, 'href', 'src')) {
      if (/^(?:https?:|mailto:|data:)/.test(link) || link === '/docs') continue;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? address : posix.join(posix.dirname(address), path);
      const isThere = site.files.has(target) && (anchor === undefined || ids.get(target)?.has(anchor));
      if (!isThere) broken.push(`${address}: ${link}`);
    }
  expect(broken).toEqual([]);
});

test('DOCS-3: links between the pages as Markdown lead to files of the site', () => {
  const broken: string[] = [];
  for (const [address, text] of site.files) {
    if (!address.endsWith('.md')) continue;
    const prose = String(text).replaceAll(/^ *```[^]*?^ *```$|`[^`\n]*`/gm, '');
    for (const [, link = ''] of prose.matchAll(/\]\(([^()\s]+)\)/g)) {
      if (/^(?:https?:|mailto:|#)/.test(link)) continue;
      const target = posix.join(posix.dirname(address), link.split('#')[0] ?? '');
      if (!site.files.has(target)) broken.push(`${address}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
});

test(
  'DEPLOY-1: the site is built from what .dockerignore lets into the build of the image',
  async () => {
    const parent = mkdtempSync(join(tmpdir(), 'parley-context-'));
    const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
    const rules = lines.filter((line) => line !== '' && !line.startsWith('#'));
    const isIgnored = (file: string): boolean =>
      // The last rule that matches wins.
      !(rules.findLast((rule) => posix.matchesGlob(file, rule.replace(/^!/, ''))) ?? '!').startsWith('!');
    const filter = (file: string): boolean => file === root || !isIgnored(relative(root, file));
    cpSync(root, parent, { recursive: true, filter });
    expect(existsSync(join(parent, 'packages/server/main.ts'))).toBe(true);
    expect(existsSync(join(parent, 'node_modules'))).toBe(false);
    expect((await makeSite(parent, '/docs')).files.size).toBe(site.files.size);
    rmSync(parent, { recursive: true });
  },
  BUILD_MS,
);

test('DOCS-2: pages load only files of the site, and contain no script, style or event handler', () => {
  for (const [address, html] of pages) {
    const [head = '', body = ''] = html.split('<body');
    expect([...head.matchAll(/<script[^>]*>([^<]*)/g)].map(([, code]) => code)).toEqual(['', '']);
    const markup = body.replaceAll(/<(pre|code)[ >][^]*?<\/\1>/g, '');
    expect(markup, address).not.toMatch(/<(?:script|style|iframe)|\son[a-z]+=|\sstyle=|\ssrc="(?:https?:)?\/\//);
  }
});

test('DOCS-4: the index of the search has every heading, with an address that exists', () => {
  const entries = JSON.parse(String(site.files.get('search.json'))) as { title: string; address: string }[];
  const ids = new Map(pages.map(([address, html]) => [address, new Set(attributes(html, 'id'))]));
  // Those of the operations are on the page of the API.
  const operations = entries.filter(({ address }) => address.startsWith('/docs#'));
  expect(operations.map(({ title }) => title)).toContain('sendMessage');
  for (const { address } of entries.filter((entry) => !operations.includes(entry))) {
    const [page = '', anchor] = address.split('#');
    expect([address, anchor === undefined ? ids.has(page) : ids.get(page)?.has(anchor)]).toEqual([address, true]);
  }
  expect(entries.some(({ title }) => title === 'Thoughts, tools and sources')).toBe(true);
});

test('DOCS-3: anchors are those that GitHub makes', () => {
  const anchors = new Anchors();
  const made = [
    'A bot in five minutes',
    'BOTSDK: the bot SDK *(our choice)*'.replaceAll('*', ''),
    'a_b & c',
    'Send',
    'Send',
  ];
  expect(made.map((text) => anchors.add(text))).toEqual([
    'a-bot-in-five-minutes',
    'botsdk-the-bot-sdk-our-choice',
    'a_b--c',
    'send',
    'send-1',
  ]);
});
