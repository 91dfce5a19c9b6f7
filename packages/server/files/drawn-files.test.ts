import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { docx, openDocument, paragraphs } from '@parley/testing/files/office-files.ts';
import { bombPdf, pdf, pdfOf, pdfPage } from '@parley/testing/files/pdfs.ts';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { Inspector } from './inspector.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-drawn-'));
const inspector = new Inspector(systemClock, folder);
afterAll(() => {
  inspector.close();
  rmSync(folder, { recursive: true });
});
const [path, small] = [join(folder, 'file'), join(folder, 'small')];

/** What the service draws of a file; null if it does not, though it is a file to be drawn. */
async function drawn(bytes: Buffer) {
  writeFileSync(path, bytes);
  const { drawable } = (await inspector.look(path, small, 1)) ?? {};
  if (!drawable) throw new Error('not a file to be drawn');
  const found = await inspector.draw(path, small, drawable, 1);
  return found?.picture ? sharp(readFileSync(small)) : null;
}

/** The colour at a place of a page, in points from its upper left corner, of a page that is 600 wide and 800 high. */
async function colour(bytes: Buffer, x: number, y: number): Promise<string> {
  const picture = await drawn(bytes);
  if (!picture) return 'nothing';
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor((y * info.height) / 800) * info.width + Math.floor((x * info.width) / 600)) * 3;
  const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
  const high = (value: number) => (value > 200 ? '1' : value < 60 ? '0' : '.');
  return high(red) + high(green) + high(blue);
}

const content = (operators: string) => pdfPage(operators);

test('FILE-40: the first page of a PDF has a picture of it, with its text', async () => {
  const picture = await drawn(pdf({ pages: 3, text: 'MMMMMMMMMMMMMMMMMMMM' }));
  expect(await picture?.metadata()).toMatchObject({ format: 'webp', width: 384, height: 512 });
  const { channels } = (await picture?.removeAlpha().stats()) ?? {};
  expect(channels?.map(({ min, max }) => [min < 80, max])).toEqual(Array.from({ length: 3 }, () => [true, 255]));
});

test('FILE-40: shapes, colours, clips, opacity and gradients stand where the page has them', async () => {
  const red = content('1 0 0 rg 100 600 200 100 re f');
  expect([await colour(red, 200, 150), await colour(red, 400, 150)]).toEqual(['100', '111']);
  const clipped = content('q 100 600 50 100 re W n 0 0 1 rg 100 600 200 100 re f Q 0 1 0 rg 300 600 50 100 re f');
  expect([await colour(clipped, 120, 150), await colour(clipped, 200, 150), await colour(clipped, 320, 150)]).toEqual([
    '001',
    '111',
    '010',
  ]);
  const line = content('40 w 1 0 1 RG 1 0 0 1 100 0 cm 0 400 m 300 400 l S');
  expect([await colour(line, 300, 400), await colour(line, 50, 400)]).toEqual(['101', '111']);
});

test('FILE-40: pictures on the page are drawn', async () => {
  const pixels = deflateSync(Buffer.from([255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0]));
  const stream = (head: string, body: string | Buffer) =>
    Buffer.concat([
      Buffer.from(`<<${head}/Length ${body.length}>>stream\n`),
      Buffer.from(body),
      Buffer.from('\nendstream'),
    ]);
  const page = pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</XObject<</I 5 0 R>>>>/Contents 4 0 R>>',
    stream('', 'q 600 0 0 800 0 0 cm /I Do Q'),
    stream(
      '/Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/FlateDecode',
      pixels,
    ),
  ]);
  expect(await colour(page, 20, 20)).toBe('100');
  expect([await colour(page, 580, 20), await colour(page, 20, 780), await colour(page, 580, 780)]).toEqual([
    '010',
    '001',
    '000',
  ]);
});

test('FILE-40: a PDF that is damaged, locked, or decompresses to gigabytes has no picture, and the next file has', async () => {
  expect(await drawn(pdf({ isLocked: true }))).toBeNull();
  expect(await drawn(Buffer.from('%PDF-1.4\nnothing\nstartxref\n0\n%%EOF'))).toBeNull();
  expect(await drawn(bombPdf())).toBeNull();
  expect(await drawn(content('1 0 0 rg 0 0 9 9 re f '.repeat(400_000)))).toBeNull();
  expect(await colour(content('0 0 600 800 re f'), 300, 400)).toBe('000');
}, 60_000);

test('FILE-41: an office file has the picture of its first page that it brings', async () => {
  const picture = await sharp({ create: { width: 256, height: 181, channels: 4, background: '#0a0' } })
    .png()
    .toBuffer();
  const open = openDocument('text', '<text:p>Hello</text:p>', { parts: { 'Thumbnails/thumbnail.png': picture } });
  expect(await (await drawn(open))?.metadata()).toMatchObject({ format: 'webp', width: 256, height: 181 });
  const photo = await sharp(picture).jpeg().toBuffer();
  const word = docx(paragraphs('Hello'), { parts: { 'docProps/thumbnail.jpeg': photo } });
  expect(await (await drawn(word))?.metadata()).toMatchObject({ width: 256 });
});

test('FILE-41: without a picture, or with a bad one, an office file has none', async () => {
  expect(await drawn(docx(paragraphs('Hello')))).toBeNull();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  for (const bad of ['', 'GIF89a', '%PDF-1.4', svg])
    expect(await drawn(docx(paragraphs('Hello'), { parts: { 'docProps/thumbnail.jpeg': bad } }))).toBeNull();
});
