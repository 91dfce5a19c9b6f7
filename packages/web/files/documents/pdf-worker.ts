// Draws the pages of a PDF in a worker of its own: whatever the file contains, the page stays responsive, and ends the
// worker that takes too long. pdf.js runs no script of a PDF, and the worker's policy forbids it to load or evaluate any.
// The build called "legacy" also runs in browsers that are a few years old.
import {
  getDocument,
  type PDFDocumentProxy,
  type PDFPageProxy,
  Util,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
// The part of pdf.js that reads files. It usually runs in a worker of its own, but this is one.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import { CanvasMemory } from './canvas-memory.ts';
import type { PageSize, PageText, PdfReply, PdfRequest } from './pdf-messages.ts';

/** The folder of what pdf.js loads when a PDF needs it. */
declare const PDF_PLACE: string;

const MAX_PAGES = 500;
const MAX_TEXTS = 5_000;
/** Larger pictures are left out: an A4 page that was scanned at 600 dpi has 34.8 million pixels. */
const MAX_IMAGE_PIXELS = 36_000_000;
/** Larger pictures are drawn from a smaller copy. */
const MAX_IMAGE_BYTES = 67_108_864;
/** The size of a page whose own cannot be read, if it is the first: A4. */
const USUAL_SIZE: PageSize = { width: 595, height: 842 };

interface WorkerScope {
  addEventListener(type: 'message', listener: (event: { data: PdfRequest }) => void): void;
  postMessage(reply: PdfReply, transfer: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope; // a worker's global object, which the page's types do not describe

interface CanvasAndContext {
  canvas: OffscreenCanvas;
  context: OffscreenCanvasRenderingContext2D | null;
}

const memory = new CanvasMemory();

/** pdf.js makes canvases of a document otherwise, which a worker does not have. */
class Canvases {
  create(width: number, height: number): CanvasAndContext {
    const canvas = new OffscreenCanvas(1, 1);
    this.#resize(canvas, width, height);
    return { canvas, context: canvas.getContext('2d') };
  }
  reset({ canvas }: CanvasAndContext, width: number, height: number): void {
    this.#resize(canvas, width, height);
  }
  destroy({ canvas }: CanvasAndContext): void {
    Object.assign(canvas, { width: 0, height: 0 });
    memory.free(canvas);
  }
  getNoAlphaContext(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D | null {
    return canvas.getContext('2d', { alpha: false });
  }
  #resize(canvas: OffscreenCanvas, width: number, height: number): void {
    memory.hold(canvas, width, height);
    Object.assign(canvas, { width, height });
  }
}

/** Filters are SVG elements of a document: a worker draws without them. */
class NoFilters {
  addFilter = (): string => 'none';
  addHCMFilter = this.addFilter;
  addAlphaFilter = this.addFilter;
  addLuminosityFilter = this.addFilter;
  addKnockoutFilter = this.addFilter;
  addHighlightHCMFilter = this.addFilter;
  destroy(): void {}
}

let opened: PDFDocumentProxy | undefined;

/** Of the page that is drawn. pdf.js leaves out pictures that are damaged or too large, and only warns of that. */
let hasLostPictures = false;
Object.assign(console, {
  warn(warning: unknown): void {
    hasLostPictures ||= /image/i.test(String(warning));
  },
});

scope.addEventListener('message', ({ data }) => {
  // pdf.js listens to the same messages and ignores ours, as we ignore its own.
  if (data.type !== 'open' && data.type !== 'draw' && data.type !== 'read') return;
  const answer =
    data.type === 'open' ? open(data.file) : data.type === 'read' ? read(data.page) : draw(data.page, data.scale);
  answer.catch((error: unknown) => {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    scope.postMessage({ type: 'failed', isLocked }, []);
  });
});

scope.postMessage({ type: 'ready' }, []);

async function open(file: Blob): Promise<void> {
  opened = await getDocument({
    data: await file.arrayBuffer(),
    CanvasFactory: Canvases,
    FilterFactory: NoFilters,
    // Glyphs are drawn as paths, because a worker has no fonts of a document.
    disableFontFace: true,
    useSystemFonts: true,
    enableXfa: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    canvasMaxAreaInBytes: MAX_IMAGE_BYTES,
    useWasm: false,
    useWorkerFetch: true,
    wasmUrl: `${PDF_PLACE}/wasm/`,
    cMapUrl: `${PDF_PLACE}/cmaps/`,
    standardFontDataUrl: `${PDF_PLACE}/standard_fonts/`,
    verbosity: VerbosityLevel.WARNINGS,
  }).promise;
  const pages: PageSize[] = [];
  for (let number = 1; number <= Math.min(opened.numPages, MAX_PAGES); number += 1)
    pages.push(await sizeOf(opened, number).catch(() => pages.at(-1) ?? USUAL_SIZE));
  scope.postMessage({ type: 'opened', pages, isCut: opened.numPages > MAX_PAGES }, []);
}

async function sizeOf(file: PDFDocumentProxy, number: number): Promise<PageSize> {
  const { width, height } = (await file.getPage(number)).getViewport({ scale: 1 });
  return { width, height };
}

async function draw(number: number, scale: number): Promise<void> {
  if (!opened) throw new Error('no file is open');
  memory.clear();
  hasLostPictures = false;
  const page = await opened.getPage(number);
  const viewport = page.getViewport({ scale });
  const canvas = new OffscreenCanvas(Math.max(1, Math.floor(viewport.width)), Math.max(1, Math.floor(viewport.height)));
  // The types know only canvases of a document; drawing needs no more than both kinds have.
  await page.render({ canvas: canvas as unknown as HTMLCanvasElement, viewport }).promise;
  const texts = await textsOf(page);
  page.cleanup();
  const image = canvas.transferToImageBitmap();
  scope.postMessage({ type: 'drawn', image, texts, isPartial: hasLostPictures }, [image]);
}

async function read(number: number): Promise<void> {
  if (!opened) throw new Error('no file is open');
  const page = await opened.getPage(number);
  const texts = await textsOf(page);
  page.cleanup();
  scope.postMessage({ type: 'read', texts }, []);
}

async function textsOf(page: PDFPageProxy): Promise<PageText[]> {
  const { transform } = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  return items.slice(0, MAX_TEXTS).flatMap((item): PageText[] => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0]: number[] = Util.transform(transform, item.transform);
    const angle = (Math.atan2(b, a) * 180) / Math.PI;
    return [{ text: item.str, x, y, angle, width: item.width, height: Math.hypot(c, d) }];
  });
}
