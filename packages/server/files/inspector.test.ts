import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { crc32, deflateSync } from 'node:zlib';
import { ManualClock } from '@parley/testing';
import { bombPdf, pdf, pdfPage } from '@parley/testing/files/pdfs.ts';
import { bombDocx, docx, lockedOffice, paragraphs } from '@parley/testing/files/office-files.ts';
import sharp from 'sharp';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { confinedTo } from './confinement.ts';
import { InspectionRoom } from './inspection-room.ts';
import { Inspector } from './inspector.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-inspected-'));
afterAll(() => rmSync(folder, { recursive: true }));
const small = join(folder, 'small');
let clock: ManualClock;
let inspector: Inspector;
beforeEach(() => {
  clock = new ManualClock();
  const made = new Inspector(clock, folder);
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

/** A gray PNG of this size with one bit per pixel; `rows` truncates its data. */
function png(width: number, height: number, rows = height): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([1, 0, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(rows * (1 + Math.ceil(width / 8))));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

test('FILE-7: an image whose decoded size exceeds the limit is treated as an ordinary file', async () => {
  expect(await look('whole.png', png(300, 200))).toMatchObject({ photo: { width: 300, height: 200 } });
  const bomb = png(40_000, 40_000);
  expect(bomb.length).toBeLessThan(300_000);
  for (const [name, bytes] of [
    ['bomb.png', bomb],
    ['lie.png', png(60_000, 60_000, 1)],
    // Decodes quickly, but has one row too many.
    ['large.png', png(8_192, 8_193)],
    ['short.png', png(300, 200, 100)],
    ['cut.png', png(300, 200).subarray(0, 60)],
  ] as const)
    expect([name, await look(name, bytes)]).toEqual([name, { mimeType: 'image/png' }]);
});

/** Resolves when the process has started: from then on its 8 s for each file count. */
const started = () => look('started.txt', 'text');

test('FILE-7: the inspector takes turns between the owners of files', async () => {
  const pipe = join(folder, 'waits');
  execFileSync('mkfifo', [pipe]);
  await started();
  const order: string[] = [];
  const image = file('one.png', png(30, 20));
  const looks = [
    // Keeps the process busy until all jobs are queued.
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

test('FILE-7: a file that only starts like an image is treated as an ordinary file', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="/etc/passwd"/></svg>';
  expect(await look('a.jpg', Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from(svg)]))).toEqual({
    mimeType: 'image/jpeg',
  });
  expect(await look('a.gif', `GIF89a${svg}`)).toEqual({ mimeType: 'image/gif' });
  for (const other of [svg, `<?xml version="1.0"?>${svg}`, '%PDF-1.7\n', 'II*\0', '8BPS'])
    expect((await look('x.png', other))?.photo).toBeUndefined();
  expect(await look('a.tiff', await sharp(png(30, 20)).tiff().toBuffer())).toEqual({ mimeType: 'image/tiff' });
});

const size24 = { width: 24, height: 24, channels: 3 } as const;
const SVG = 'xmlns="http://www.w3.org/2000/svg"';
/** What the process draws of an SVG; null if it does not. */
async function drawn(name: string, svg: string) {
  expect(await look(name, svg)).toMatchObject({ drawable: 'svg' });
  const found = await inspector.draw(file(name, svg), small, 'svg', 1);
  return found?.picture ? sharp(readFileSync(small)) : null;
}

test('FILE-39: an SVG is drawn, whatever its size, and nothing that it refers to is loaded', async () => {
  const wide = await drawn('wide.svg', `<svg ${SVG} viewBox="0 0 100 50"><rect width="100" height="50"/></svg>`);
  expect(await wide?.metadata()).toMatchObject({ format: 'webp', width: 512, height: 256 });
  const tiny = await drawn('tiny.svg', `<svg ${SVG} width="20" height="10"><rect width="2" height="1"/></svg>`);
  expect(await tiny?.metadata()).toMatchObject({ width: 512, height: 256 });
  const red = file(
    'red.png',
    await sharp({ create: { ...size24, background: '#f00' } })
      .png()
      .toBuffer(),
  );
  for (const address of ['red.png', red, `file://${red}`, '/etc/passwd']) {
    const svg = `<svg ${SVG} width="24" height="24"><image href="${address}" width="24" height="24"/></svg>`;
    const picture = await (await drawn('outside.svg', svg))?.ensureAlpha().raw().toBuffer();
    expect([address, picture?.some((value) => value !== 0)]).toEqual([address, false]);
  }
});

test('FILE-39: an SVG that is damaged, too large or asks for too much is not drawn', async () => {
  for (const svg of [
    `<svg ${SVG} width="24"`,
    `<svg ${SVG} width="1000000" height="1000000"/>`,
    `<svg ${SVG}>${' '.repeat(1024 * 1024)}</svg>`,
    `<svg ${SVG}><text>&x;</text></svg>`,
  ])
    expect(await drawn('bad.svg', svg)).toBeNull();
  const level = (at: number) => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`;
  const bomb = Array.from({ length: 12 }, (_, at) => level(at)).join('');
  const endless = `<svg ${SVG}><defs><rect id="a0" width="1" height="1"/>${bomb}</defs><use href="#a12"/></svg>`;
  await started();
  const hung = inspector.draw(file('bomb.svg', endless), small, 'svg', 1);
  await clock.advance(8_000);
  expect(await hung).toBeNull();
  expect(await look('next.png', png(30, 20))).toMatchObject({ photo: { width: 30 } });
});

test('FILE-7: after the inspection of a file times out, the next file is inspected', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await started();
  // Opening it blocks until there is a writer.
  const [hung, next] = [inspector.look(pipe, small, 1), look('next.png', png(30, 20))];
  await clock.advance(8_000);
  expect(await hung).toBeNull();
  expect(await next).toMatchObject({ mimeType: 'image/png', photo: { width: 30 } });
});

test('FILE-7: the process has 30 s to start, which do not count for the file', async () => {
  const slow = look('slow.png', png(30, 20));
  await clock.advance(29_000);
  expect(await slow).toMatchObject({ photo: { width: 30 } });
  inspector.close();
  inspector = new Inspector(clock, folder);
  const never = look('never.png', png(30, 20));
  await clock.advance(30_000);
  expect(await never).toBeNull();
  inspector.close();
});

test('FILE-7: an idle process ends, and the next file starts a new one', async () => {
  expect(await look('a.txt', 'text')).toEqual({ mimeType: 'text/plain' });
  await clock.advance(60_000);
  expect(clock.pendingTimers).toBe(0);
  expect(await look('a.png', png(30, 20))).toMatchObject({ photo: { width: 30 } });
  inspector.close();
  expect(await look('a.png', png(30, 20))).toBeNull();
});

test('FILE-7: text is distinguished from binary data, in any encoding, also if the last character is incomplete', async () => {
  const text = `x${'ü'.repeat(4_000)}`;
  for (const bytes of [text, Buffer.from(text, 'utf16le'), Buffer.from('Grüße aus Köln', 'latin1')])
    expect(await look('a', bytes)).toEqual({ mimeType: 'text/plain' });
  for (const bytes of [Buffer.from([0x61, 0]), Buffer.from([0xff, 0xfe, 0xfd]), Buffer.from('a\u001bb'), ''])
    expect(await look('b', bytes)).toEqual({});
});

/** Attempts made inside the decoding process once it has started. */
const attacks = {
  fetch: `fetch(url)`,
  net: `new Promise((reached, refused) => net.connect(port, '127.0.0.1').on('connect', reached).on('error', refused))`,
  listen: `new Promise((reached, refused) => net.createServer().listen(0, reached).on('error', refused))`,
  datagram: `new Promise((reached, refused) => dgram.createSocket('udp4').on('error', refused).send('x', port, '127.0.0.1', reached))`,
  name: `dns.promises.lookup('localhost')`,
  secret: `fs.readFileSync(secret)`,
  service: `fs.readFileSync(main)`,
  folder: `fs.readdirSync(path.dirname(secret))`,
  write: `fs.writeFileSync(secret, 'x')`,
  link: `fs.symlinkSync(secret, path.join(process.env.INSPECTED_FOLDER, 'link'))`,
  program: `child_process.execFileSync('true')`,
  thread: `new worker_threads.Worker('1', { eval: true })`,
  addon: `process.dlopen({ exports: {} }, addon)`,
};

test('FILE-18: the decoding process cannot use the network, other files, programs, threads or addons', async () => {
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // the type of a TCP address
  const room = mkdtempSync(join(folder, 'room-'));
  const given = {
    port,
    url: `http://127.0.0.1:${port}/`,
    secret: file('secret', 'hunter2'),
    main: fileURLToPath(new URL('../main.ts', import.meta.url)),
    addon: createRequire(import.meta.resolve('sharp')).resolve(
      `@img/sharp-${process.platform}-${process.arch}/sharp.node`,
    ),
  };
  const code = `
    import child_process from 'node:child_process'; import dgram from 'node:dgram'; import dns from 'node:dns';
    import fs from 'node:fs'; import net from 'node:net'; import path from 'node:path';
    import worker_threads from 'node:worker_threads';
    import ${JSON.stringify(new URL('./inspect-process.ts', import.meta.url).href)};
    const { port, url, secret, main, addon } = ${JSON.stringify(given)};
    fs.writeFileSync(path.join(process.env.INSPECTED_FOLDER, 'own'), 'its own folder');
    const outcome = { own: fs.readFileSync(path.join(process.env.INSPECTED_FOLDER, 'own'), 'utf8') };
    const attacks = { ${Object.entries(attacks)
      .map(([name, attack]) => `${name}: () => ${attack}`)
      .join()} };
    for (const [name, attack] of Object.entries(attacks))
      outcome[name] = await Promise.try(attack).then(() => 'reached', (error) => (error.cause ?? error).code ?? String(error));
    process.stdout.write(JSON.stringify(outcome), () => process.exit());
  `;
  const { env, execArgv } = confinedTo(room);
  const out = await promisify(execFile)(process.execPath, [...execArgv, '--input-type=module', '--eval', code], {
    env,
  });
  server.close();
  const refused = Object.keys(attacks).map((name) => [name, 'ERR_ACCESS_DENIED']);
  expect(JSON.parse(out.stdout)).toEqual({ own: 'its own folder', ...Object.fromEntries(refused) });
});

test('FILE-18: the process may read a file that is put into its folder after it has started', async () => {
  const room = new InspectionRoom(folder);
  const { env, execArgv } = confinedTo(room.folder);
  const code = `process.on('message', (path) => {
    let text = '';
    try { text = require('node:fs').readFileSync(path, 'utf8'); } catch (error) { text = error.code; }
    process.send(text, () => process.exit());
  }); process.send('started')`;
  const child = spawn(process.execPath, [...execArgv, '--eval', code], {
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await once(child, 'message');
  await room.put(file('late', 'put later'));
  child.send(join(room.folder, 'file'));
  expect(await once(child, 'message')).toEqual(['put later', undefined]);
  await room.remove();
});

test('FILE-18: the folder of the process holds one file at a time, and is removed with the process', async () => {
  const pipe = join(folder, 'held');
  execFileSync('mkfifo', [pipe]);
  await started();
  const rooms = () => readdirSync(folder).filter((name) => name.startsWith('inspected-'));
  const [held, next] = [inspector.look(pipe, small, 1), look('after.png', png(30, 20))];
  await vi.waitFor(() => expect(rooms().map((name) => readdirSync(join(folder, name)))).toEqual([['file']]));
  await clock.advance(8_000);
  expect(await held).toBeNull();
  expect(await next).toMatchObject({ photo: { width: 30 } });
  inspector.close();
  await vi.waitFor(() => expect(rooms()).toEqual([]));
});

const out = join(folder, 'copy');
const bounds = { type: 'pdf', pages: 100, characters: 1_000 } as const;
const pdfText = async (bytes: Buffer) => {
  const found = await inspector.copy(file('a.pdf', bytes), out, bounds, 1);
  return { found: found?.text, text: found?.text && readFileSync(out, 'utf8') };
};

test('FILE-19: a photo for a model is upright, scaled, a JPEG, and has no metadata', async () => {
  const source = sharp({ create: { width: 3_000, height: 1_000, channels: 4, background: '#00000000' } });
  const bytes = await source
    .jpeg()
    .withExif({ IFD0: { Copyright: 'secret' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const found = await inspector.copy(file('a.jpg', bytes), out, { type: 'scaled', px: 1_568 }, 1);
  expect(found).toMatchObject({ photo: { width: 523, height: 1_568 } });
  const { format, width, height, exif, orientation } = await sharp(out).metadata();
  expect({ format, width, height, exif, orientation }).toEqual({ format: 'jpeg', width: 523, height: 1_568 });
});

test('FILE-19: a photo of 60 megapixels is scaled; what is transparent becomes white', async () => {
  const found = await inspector.copy(file('l.png', png(8_000, 7_500)), out, { type: 'scaled', px: 2_048 }, 1);
  expect(found).toMatchObject({ photo: { width: 2_048, height: 1_920 } });
  const clear = await sharp({ create: { width: 9, height: 9, channels: 4, background: '#ff000000' } })
    .png()
    .toBuffer();
  await inspector.copy(file('c.png', clear), out, { type: 'scaled', px: 2_048 }, 1);
  expect((await sharp(out).raw().toBuffer()).every((value) => value === 255)).toBe(true);
  expect(await inspector.copy(file('bad.png', clear.subarray(0, 50)), out, { type: 'scaled', px: 99 }, 1)).toBeNull();
});

test('FILE-20: the text of a PDF is read up to the bounds', async () => {
  expect(await pdfText(pdf({ pages: 3, text: 'One' }))).toEqual({
    found: { pages: 3, pagesRead: 3, isLocked: false },
    text: 'One\n\nOne\n\nOne',
  });
  expect((await pdfText(pdf({ pages: 3_000 }))).found).toEqual({ pages: 3_000, pagesRead: 100, isLocked: false });
  const short = await inspector.copy(file('s.pdf', pdf({ pages: 9 })), out, { ...bounds, characters: 9 }, 1);
  expect([short?.text, readFileSync(out, 'utf8')]).toEqual([
    { pages: 9, pagesRead: 2, isLocked: false },
    'Hello\n\nHe',
  ]);
});

const line = (text: string, x: number, y: number) => `BT /F 12 Tf ${x} ${y} Td (${text}) Tj ET\n`;

test('FILE-20: PDF words and lines follow the positions of the text on the page', async () => {
  const content =
    line('Left', 50, 700) +
    line('right', 300, 700) +
    line('below', 50, 600) +
    line('hyphen-', 50, 500) +
    line('ated', 50, 486) +
    // A word in two pieces, and one that is drawn twice to look bold.
    line('spl', 50, 400) +
    line('it', 66.5, 400) +
    line('bold', 50, 300) +
    line('bold', 50.2, 300);
  expect((await pdfText(pdfPage(content))).text).toBe('Left right\nbelow\nhyphenated\nsplit\nbold');
});

test('FILE-20: text of a PDF whose characters stand in a table outside the file is read', async () => {
  const page = pdfPage('BT /J 12 Tf 50 700 Td <93fa967b8cea> Tj ET');
  expect((await pdfText(page)).text).toBe('日本語');
});

test('FILE-20: values of forms, free texts and comments of a PDF are read, hidden ones and passwords are not', async () => {
  const place = '/Type/Annot/Rect[50 50 200 80]/F 4';
  const field = (type: string, value: string, more = '') =>
    `<<${place}/Subtype/Widget/FT/${type}/T(f${value.length})/V(${value})${more}>>`;
  const annotations = [
    field('Tx', 'Quagga'),
    field('Ch', 'de', '/Opt[[(fr)(France)][(de)(Germany)]]/Ff 131072'),
    field('Tx', 'secretword', '/Ff 8192'),
    field('Tx', 'concealed', '').replace('/F 4', '/F 2'),
    field('Btn', 'Off'),
    `<<${place}/Subtype/FreeText/Contents(On the page)/DA(/F 12 Tf)>>`,
    `<<${place}/Subtype/Text/T(Ann)/Contents(Really?)>>`,
  ];
  expect((await pdfText(pdfPage(line('Form', 50, 700), { annotations }))).text).toBe(
    'Form\nOn the page\n[Comment by Ann] Really?\nQuagga\nGermany',
  );
});

test('FILE-20: a damaged page of a PDF is one page that is not read', async () => {
  const loop = '<</Type/Pages/Count 1/Kids[8 0 R]>>';
  expect(await pdfText(pdfPage(line('Fine', 50, 700), { pages: [loop] }))).toEqual({
    found: { pages: 2, pagesRead: 1, isLocked: false },
    text: 'Fine',
  });
});

test('FILE-7: a PDF is one also behind the commands of a printer, and a text that speaks of PDFs is none', async () => {
  const look = async (bytes: Buffer) => (await inspector.look(file('p.pdf', bytes), out, 1))?.mimeType;
  const print = Buffer.concat([Buffer.from('%%JOB: 1\r\n%%COPIES: 2\r\n'), pdf({ text: 'Printed' })]);
  expect(await look(print)).toBe('application/pdf');
  expect((await pdfText(print)).text).toBe('Printed');
  expect(await look(Buffer.from('A file that begins with %PDF-1.7 is a PDF.'))).toBe('text/plain');
});

test('FILE-20: a PDF with a password is locked, a damaged one is not read', async () => {
  expect(await pdfText(pdf({ isLocked: true }))).toEqual({
    found: { pages: 0, pagesRead: 0, isLocked: true },
    text: '',
  });
  expect(await pdfText(Buffer.from('%PDF-1.4\nnothing'))).toEqual({ found: undefined, text: undefined });
});

const officeText = async (bytes: Buffer, characters = 1_000) => {
  const found = await inspector.copy(file('a.docx', bytes), out, { type: 'office', characters }, 1);
  return { found: found?.office, text: found?.office && readFileSync(out, 'utf8') };
};

test('FILE-27: the inspecting process reads the text of an office file up to the bounds', async () => {
  const word = docx(paragraphs('One', 'Two'));
  expect(await officeText(word)).toEqual({ found: { isWhole: true, isLocked: false }, text: 'One\n\nTwo' });
  expect(await officeText(word, 5)).toEqual({ found: { isWhole: false, isLocked: false }, text: 'One' });
  expect(await officeText(bombDocx())).toMatchObject({ found: { isWhole: false } });
  expect(await officeText(lockedOffice())).toEqual({ found: { isWhole: false, isLocked: true }, text: '' });
  expect(await officeText(Buffer.from('PK\x03\x04 nothing'))).toEqual({ found: undefined, text: undefined });
});

test.runIf(process.platform === 'linux')(
  'FILE-20: the process is killed when a PDF needs too much memory',
  async () => {
    const bomb = bombPdf();
    expect(bomb.length).toBeLessThan(8 * 1024 * 1024);
    // On a busy machine the bomb needs longer than the patience for one file: only its memory may end it here.
    const setTimer: typeof systemClock.setTimer = (work, ms) => systemClock.setTimer(work, ms >= 8_000 ? ms * 10 : ms);
    const seconds = new Inspector({ ...systemClock, setTimer }, folder);
    onTestFinished(() => seconds.close());
    const begunAt = performance.now();
    expect(await seconds.copy(file('bomb.pdf', bomb), out, bounds, 1)).toBeNull();
    expect(performance.now() - begunAt).toBeLessThan(60_000);
    // The next file is inspected by a new process.
    expect(await seconds.copy(file('a.pdf', pdf()), out, bounds, 1)).toMatchObject({ text: { pages: 1 } });
  },
  90_000,
);
