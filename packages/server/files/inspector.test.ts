import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { ManualClock } from '@parley/testing';
import sharp from 'sharp';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { Inspector } from './inspector.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-inspected-'));
afterAll(() => rmSync(folder, { recursive: true }));
const small = join(folder, 'small');
let clock: ManualClock;
let inspector: Inspector;
beforeEach(() => {
  clock = new ManualClock();
  const made = new Inspector(clock);
  inspector = made;
  onTestFinished(() => {
    made.close();
    expect(clock.pendingTimers).toBe(0);
  });
});

const file = (name: string, bytes: string | Buffer): string => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};
const look = (name: string, bytes: string | Buffer) => inspector.look(file(name, bytes), small, 1);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** A gray PNG of this size, of one bit a pixel; all of it, or as much as `rows`. */
function png(width: number, height: number, rows = height): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([1, 0, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(rows * (1 + Math.ceil(width / 8))));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

test('FILE-7: an image that unpacks to more than there may be is a file like any other', async () => {
  expect(await look('whole.png', png(300, 200))).toMatchObject({ photo: { width: 300, height: 200 } });
  const bomb = png(40_000, 40_000);
  expect(bomb.length).toBeLessThan(300_000);
  for (const [name, bytes] of [
    ['bomb.png', bomb],
    ['lie.png', png(60_000, 60_000, 1)],
    // Quickly decoded, but one row too large.
    ['large.png', png(8_192, 8_193)],
    ['short.png', png(300, 200, 100)],
    ['cut.png', png(300, 200).subarray(0, 60)],
  ] as const)
    expect([name, await look(name, bytes)]).toEqual([name, { mimeType: 'image/png' }]);
});

test('FILE-7: files are looked at in turns between those whose they are', async () => {
  const pipe = join(folder, 'waits');
  execFileSync('mkfifo', [pipe]);
  const order: string[] = [];
  const image = file('one.png', png(30, 20));
  const looks = [
    // Keeps the process busy until all of them wait.
    inspector.look(pipe, small, 1),
    ...['1a', '1b', '1c', '2a', '3a', '2b'].map(async (name) => {
      await inspector.look(image, small, Number(name[0]));
      order.push(name);
    }),
  ];
  await clock.advance(8_000);
  await Promise.all(looks);
  expect(order).toEqual(['1a', '2a', '3a', '1b', '2b', '1c']);
});

test('FILE-7: the first bytes of an image do not make one', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="/etc/passwd"/></svg>';
  expect(await look('a.jpg', Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from(svg)]))).toEqual({
    mimeType: 'image/jpeg',
  });
  expect(await look('a.gif', `GIF89a${svg}`)).toEqual({ mimeType: 'image/gif' });
  for (const other of [svg, `<?xml version="1.0"?>${svg}`, '%PDF-1.7\n', 'II*\0', '8BPS'])
    expect((await look('x.png', other))?.photo).toBeUndefined();
  expect(await look('a.tiff', await sharp(png(30, 20)).tiff().toBuffer())).toEqual({ mimeType: 'image/tiff' });
});

test('FILE-7: a file that nobody can look at in time is given up, and the next one is looked at', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // Whoever opens it waits for its writer.
  const [hung, next] = [inspector.look(pipe, small, 1), look('next.png', png(30, 20))];
  await clock.advance(8_000);
  expect(await hung).toBeNull();
  expect(await next).toMatchObject({ mimeType: 'image/png', photo: { width: 30 } });
});

test('FILE-7: without work the process ends, and begins anew with the next file', async () => {
  expect(await look('a.txt', 'text')).toEqual({ mimeType: 'text/plain' });
  await clock.advance(60_000);
  expect(clock.pendingTimers).toBe(0);
  expect(await look('a.png', png(30, 20))).toMatchObject({ photo: { width: 30 } });
  inspector.close();
  expect(await look('a.png', png(30, 20))).toBeNull();
});

test('FILE-7: text is told from bytes, also where a character is cut', async () => {
  expect(await look('a', `x${'ü'.repeat(4_000)}`)).toEqual({ mimeType: 'text/plain' });
  for (const bytes of [Buffer.from([0x61, 0]), Buffer.from([0xff, 0xfe, 0xfd]), Buffer.from('a\u001bb'), ''])
    expect(await look('b', bytes)).toEqual({});
});
