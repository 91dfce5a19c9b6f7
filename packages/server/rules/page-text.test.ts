import { expect, test } from 'vitest';
import { decoderOf, PageText } from './page-text.ts';

const url = 'https://one.example/';
function previewOf(...html: string[]) {
  const text = new PageText();
  for (const piece of html) text.add(piece);
  return text.previewOf(url);
}

test('LINK-4: the preview has the title, description and site that the page gives for previews, then its own', () => {
  const own = '<title>Own &amp; title</title><meta name=description content="Own description">';
  expect(previewOf(`<head>${own}`)).toEqual({ url, title: 'Own & title', description: 'Own description' });
  const given =
    '<meta property="og:title" content="Shared &#x201c;title&#8221;"><META NAME="TWITTER:description" CONTENT="Short">' +
    '<meta property="og:site_name" content="One"><meta property="og:title" content="another">';
  expect(previewOf(`<head>${own}${given}`)).toEqual({
    url,
    title: 'Shared “title”',
    description: 'Short',
    site_name: 'One',
  });
});

test('LINK-4: a page without a title has no preview', () => {
  for (const html of [
    '',
    'plain text',
    '<title> \n </title>',
    '<meta name=description content="no title">',
    '<body><title>late',
  ])
    expect(previewOf(html), html).toBe(null);
});

test('LINK-4: scripts, comments and the body are not read', () => {
  expect(
    previewOf('<script>"<title>script</title>"</script><!-- <title>comment</title> --><title>page</title>'),
  ).toMatchObject({ title: 'page' });
  const text = new PageText();
  text.add('<head><title>page</title></head>');
  expect(text.isOver).toBe(true);
  text.add('<meta property="og:title" content="body">');
  expect(text.previewOf(url)).toEqual({ url, title: 'page' });
});

test('LINK-4: texts are one line, without characters that turn text around, and cut at their maximum', () => {
  const head = (title: string, description: string) =>
    `<title>${title}</title><meta name="description" content="${description}">`;
  expect(previewOf(head('two\n lines\u202e\u0000 here', '\u2066 turned\u2069\t'))).toEqual({
    url,
    title: 'two lines here',
    description: 'turned',
  });
  const long = previewOf(head('😀'.repeat(201), 'word '.repeat(1_000)));
  expect(Array.from(long?.title ?? '')).toHaveLength(200);
  expect(long?.title.endsWith('😀…')).toBe(true);
  expect(Array.from(long?.description ?? '').length).toBeLessThanOrEqual(300);
  expect(previewOf(head('x'.repeat(199), 'd'))?.title).toHaveLength(199);
});

test('LINK-4: what arrives in pieces is read as a whole', () => {
  const html = '<head><title>One &amp; two</title><meta property="og:site_name" content="Site"></head>';
  expect(previewOf(...Array.from(html))).toEqual({ url, title: 'One & two', site_name: 'Site' });
});

const latin = (text: string) => Buffer.from(text, 'latin1');
test.each<[how: string, type: string, bytes: Uint8Array, text: string]>([
  ['by default UTF-8', 'text/html', Buffer.from('é'), 'é'],
  ['of the header', 'text/html; Charset="ISO-8859-1"', latin('é'), 'é'],
  ['of the page', 'text/html', latin('<meta charset=windows-1252>é'), '<meta charset=windows-1252>é'],
  [
    'of the page, as in former times',
    'text/html',
    latin('<meta http-equiv=content-type content="text/html; charset=latin1">é'),
    '<meta http-equiv=content-type content="text/html; charset=latin1">é',
  ],
  ['of the byte order mark', 'text/html; charset=utf-8', Buffer.from('\ufeffé', 'utf16le'), 'é'],
  ['of the byte order mark of UTF-8', 'text/html; charset=latin1', Buffer.from('\ufeffé'), 'é'],
  ['that does not exist', 'text/html; charset=klingon', Buffer.from('é'), 'é'],
])('LINK-4: a page has the encoding %s', (_how, type, bytes, text) => {
  expect(decoderOf(type, bytes).decode(bytes)).toBe(text);
});
