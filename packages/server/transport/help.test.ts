import { readdirSync, statSync } from 'node:fs';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { type Language, languages } from '@parley/protocol/languages';
import { helpTexts, helpTopics } from '../agents/guide/help-texts.ts';
import { escapeHtml } from './docs/html.ts';
import { preferred, serveHelp } from './help.ts';

const pictures = new URL('docs/pictures/', import.meta.url);
const all = Object.keys(languages) as Language[]; // the names of the languages

function serve() {
  const app = Fastify();
  serveHelp(app);
  return {
    get: (url: string, headers = {}) => app.inject({ method: 'GET', url, headers }),
    [Symbol.asyncDispose]: () => app.close(),
  };
}

test.each(all)(
  'HELP-1: the help in %s has every topic, in the direction of the language, without scripts',
  async (language) => {
    await using help = serve();
    const { statusCode, body, headers } = await help.get(`/help/${language}`);
    expect(statusCode).toBe(200);
    expect(body).toContain(`<html lang="${language}" dir="${languages[language].direction}">`);
    for (const topic of helpTopics) {
      expect(body).toContain(`id="${topic}"`);
      expect(body).toContain(escapeHtml(helpTexts[language].topics[topic].title));
    }
    expect(body).not.toMatch(/<script|\{[A-Z]|\*\*|style="/);
    expect(headers['content-security-policy']).toContain("script-src 'none'");
    // Anchors are unique, and each link inside the page leads to one.
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, anchor] of body.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(anchor);
  },
);

test('HELP-1: /help leads to the language that the browser prefers', async () => {
  await using help = serve();
  const to = async (accepted?: string) =>
    (await help.get('/help', accepted === undefined ? {} : { 'accept-language': accepted })).headers['location'];
  expect(await to('pt-BR,pt;q=0.9,en;q=0.8')).toBe('/help/pt');
  expect(await to('nl, fr;q=0.5')).toBe('/help/fr');
  expect(await to('nl')).toBe('/help/en');
  expect(await to()).toBe('/help/en');
  expect(preferred('__proto__')).toBe('en');
});

test('HELP-1: nothing else is served below /help', async () => {
  await using help = serve();
  for (const path of ['xx', 'constructor', 'pictures/..%2f..%2fhelp.ts', 'pictures/none.jpg'])
    expect((await help.get(`/help/${path}`)).statusCode, path).toBe(404);
  expect((await help.get('/help/style.css')).headers['content-type']).toContain('text/css');
});

test('HELP-3: the pictures are there, and smaller than 400 kB together', async () => {
  await using help = serve();
  const names = readdirSync(pictures);
  expect(names.length).toBeGreaterThan(3);
  const bytes = names.reduce((sum, name) => sum + statSync(new URL(name, pictures)).size, 0);
  expect(bytes).toBeLessThan(400_000);
  const { body } = await help.get('/help/en');
  for (const name of names) {
    expect(body).toContain(`/help/pictures/${name}`);
    expect((await help.get(`/help/pictures/${name}`)).headers['content-type']).toBe('image/jpeg');
  }
});
