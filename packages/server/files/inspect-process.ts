// The process that inspects uploaded files. Untrusted input is decoded here and nowhere else: this process has no
// secrets, no database and no network, reads only the file it inspects (FILE-18), and is killed if it takes too long.
import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TEXT_START_BYTES } from '@parley/office';
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type';
import sharp, { type Sharp } from 'sharp';
import { isOfficeType, photoType } from './content-types.ts';
import { dropAddons } from './confinement.ts';
import { inRoom } from './inspection-room.ts';
import type { Drawable, Look, Report, Task, Work } from './inspector.ts';
import { withoutMetadata } from './jpeg-metadata.ts';
import { drawPdf } from './pdf-drawing.ts';
import { type PdfBounds, readPdf } from './pdf-text.ts';
import { readOfficeText } from './office-text.ts';
import { soundType, TRACKS_BYTES } from './sound-type.ts';
import { isSvgStart } from './svg-start.ts';
import { isTextStart } from './text-start.ts';

/** Maximum pixels of a photo, 8,192 by 8,192: more than any phone makes, and still decodable in time. */
const MAX_PIXELS = 67_108_864;
const THUMBNAIL_PX = 512;
const DECODE_S = 4;
/** Maximum size of an SVG that is drawn. */
const MAX_SVG_BYTES = 1024 * 1024;
/** Maximum size of a PDF or an office file of which a picture is made: that of one whose text is read. */
const MAX_DRAWN_BYTES = 32 * 1024 * 1024;
/** Of an SVG's own pixels: at this density a pixel of the drawing is one of them. */
const SVG_DENSITY = 72;
const MAX_SVG_DENSITY = 10_000;
/**
 * Maximum size of a JPEG photo: removing its metadata needs it in memory as a whole. A larger one is an ordinary file.
 */
const MAX_JPEG_BYTES = 64 * 1024 * 1024;
/** Quality of a photo for a model: text in a screenshot stays legible. */
const SCALED_QUALITY = 85;

/** Where the header and the end of a PDF may be, as readers of PDFs look for them. */
const PDF_HEAD_BYTES = 1_024;
const PDF_TAIL_BYTES = 4_096;

const room = process.env['INSPECTED_FOLDER'] ?? '';
const [path, small, clean] = [inRoom.file, inRoom.small, inRoom.clean].map((name) => join(room, name)) as [
  string,
  string,
  string, // one for each name
];

sharp.cache(false);
sharp.concurrency(1);
// Allows only the decoders for accepted photo formats, those of the pictures in office files, and SVG from memory, which
// has no folder and so loads no other files: no PDF, nothing that loads other files.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadPngFile',
    'VipsForeignLoadJpegFile',
    'VipsForeignLoadNsgifFile',
    'VipsForeignLoadWebpFile',
    'VipsForeignLoadHeifFile',
    'VipsForeignLoadSvgBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadJpegBuffer',
  ],
});

const decode = (image: string) =>
  sharp(image, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true }).timeout({ seconds: DECODE_S });

async function look(): Promise<Look> {
  const mimeType = await typeOf((await fileTypeFromFile(path))?.mime);
  if (photoType(mimeType) === undefined) {
    const drawable = await drawableAs(mimeType);
    return drawable ? { mimeType, drawable } : { mimeType };
  }
  try {
    const { autoOrient, orientation } = await decode(path).metadata();
    const isJpeg = mimeType === 'image/jpeg';
    if (isJpeg) await writeClean(orientation);
    // Decodes what will be served: the cleaned copy of a JPEG.
    const { size } = await decode(isJpeg ? clean : path)
      .autoOrient()
      .resize(THUMBNAIL_PX, THUMBNAIL_PX, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 75 })
      .toFile(small);
    return { mimeType, photo: { width: autoOrient.width, height: autoOrient.height, size }, isCleaned: isJpeg };
  } catch {
    // Too large, damaged, or not an image despite its first bytes: treated as an ordinary file.
    return { mimeType };
  }
}

async function drawableAs(mimeType: string | undefined): Promise<Drawable | undefined> {
  if (mimeType === 'application/pdf') return 'pdf';
  if (isOfficeType(mimeType)) return 'office';
  const isMarkup = mimeType === 'text/plain' || mimeType === 'application/xml' || mimeType === 'image/svg+xml';
  return isMarkup && isSvgStart((await start(PDF_TAIL_BYTES)).toString()) ? 'svg' : undefined;
}

async function draw(as: Drawable): Promise<Look> {
  if (as === 'svg') return drawSvg();
  if ((await stat(path)).size > MAX_DRAWN_BYTES) throw new Error('too large to be drawn');
  const bytes = await readFile(path);
  if (as === 'pdf') return drawn(await drawPdf(bytes, THUMBNAIL_PX));
  // Loaded for the first office file: most processes inspect photos only.
  const picture = await (await import('@parley/office')).ownPicture(bytes);
  const type = picture && (await fileTypeFromBuffer(picture))?.mime;
  if (!picture || (type !== 'image/png' && type !== 'image/jpeg')) throw new Error('no picture');
  return drawn(picture, 'white');
}

/** A thumbnail of a picture that was made of a file. */
async function drawn(bytes: Uint8Array, background?: string): Promise<Look> {
  const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).timeout({ seconds: DECODE_S });
  const { size } = await (background === undefined ? image : image.flatten({ background }))
    .resize(THUMBNAIL_PX, THUMBNAIL_PX, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toFile(small);
  return { mimeType: 'image/webp', picture: { size } };
}

async function drawSvg(): Promise<Look> {
  const { size } = await (await svgOf(THUMBNAIL_PX)).webp({ quality: 80 }).toFile(small);
  return { mimeType: 'image/webp', picture: { size } };
}

/** Makes a PNG of an SVG. */
async function rasterised(px: number): Promise<Look> {
  const { size } = await (await svgOf(px)).flatten({ background: 'white' }).png().toFile(small);
  return { mimeType: 'image/png', picture: { size } };
}

/** An SVG, drawn so that its longer side has so many pixels. */
async function svgOf(px: number): Promise<Sharp> {
  if ((await stat(path)).size > MAX_SVG_BYTES) throw new Error('too large to be drawn');
  const bytes = await readFile(path);
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
  const density = (SVG_DENSITY * px) / Math.max(1, width, height);
  return sharp(bytes, {
    density: Math.min(MAX_SVG_DENSITY, Math.max(1, density)),
    // Before it is scaled: an SVG can be much wider than high.
    limitInputPixels: 4 * px * px,
  })
    .timeout({ seconds: DECODE_S })
    .resize(px, px, { fit: 'inside', withoutEnlargement: true });
}

/** Writes a copy of the image without its metadata (FILE-16). */
async function writeClean(orientation = 1): Promise<void> {
  if ((await stat(path)).size > MAX_JPEG_BYTES) throw new Error('too large to be a photo');
  const bytes = withoutMetadata(await readFile(path), orientation);
  if (!bytes) throw new Error('not a whole image');
  await writeFile(clean, bytes, { mode: 0o600 });
}

/** The type by the file's first bytes, which `found` does not say of a text or of a video without a picture. */
async function typeOf(found: string | undefined): Promise<string | undefined> {
  if (found === undefined) {
    if (await isPdf()) return 'application/pdf';
    return isTextStart(await start(TEXT_START_BYTES)) ? 'text/plain' : undefined;
  }
  return found.startsWith('video/') ? soundType(found, await start(TRACKS_BYTES)) : found;
}

/** Printers' commands may stand before a PDF. A text that only speaks of PDFs does not end like one. */
async function isPdf(): Promise<boolean> {
  if (!(await start(PDF_HEAD_BYTES)).includes('%PDF-')) return false;
  const { size } = await stat(path);
  return (await piece(Math.max(0, size - PDF_TAIL_BYTES), PDF_TAIL_BYTES)).includes('startxref');
}

const start = async (bytes: number): Promise<Buffer> => piece(0, bytes);

async function piece(from: number, bytes: number): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Makes a square of the centre of a photo. */
async function square(px: number): Promise<Look> {
  const { size } = await decode(path).autoOrient().resize(px, px, { fit: 'cover' }).webp({ quality: 80 }).toFile(small);
  return { mimeType: 'image/webp', photo: { width: px, height: px, size } };
}

/** Scales a photo for a model. Models take no transparency; the page behind it is mostly white. */
async function scaled(px: number): Promise<Look> {
  const { size, width, height } = await decode(path)
    .autoOrient()
    .resize(px, px, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .jpeg({ quality: SCALED_QUALITY })
    .toFile(small);
  return { mimeType: 'image/jpeg', photo: { width, height, size } };
}

async function pdf(bounds: PdfBounds): Promise<Look> {
  const { text, found } = await readPdf(await readFile(path), bounds);
  await writeFile(small, text, { mode: 0o600 });
  return { mimeType: 'application/pdf', text: found };
}

async function office(characters: number): Promise<Look> {
  const { text, found } = await readOfficeText(await readFile(path), characters);
  await writeFile(small, text, { mode: 0o600 });
  return { mimeType: undefined, office: found };
}

function run(work: Work): Promise<Look> {
  if (work.type === 'look') return look();
  if (work.type === 'draw') return draw(work.as);
  if (work.type === 'rasterise') return rasterised(work.px);
  if (work.type === 'pdf') return pdf(work);
  if (work.type === 'office') return office(work.characters);
  return work.type === 'square' ? square(work.px) : scaled(work.px);
}

const report = (news: Report): void => void process.send?.(news);

dropAddons();
process.on('message', ({ id, work }: Task) => {
  run(work).then(
    (found) => report({ id, found }),
    () => report({ id, found: null }),
  );
});
report({});
process.on('disconnect', () => process.exit());
