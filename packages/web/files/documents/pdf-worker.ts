// Draws the pages of a PDF in a worker of its own: whatever the file contains, the page stays responsive, and ends the
// worker that takes too long. pdf.js runs no script of a PDF, and the worker's policy forbids it to load or evaluate any.
import { getDocument, type PDFDocumentProxy, type PDFPageProxy, Util } from 'unpdf/pdfjs';
import type { PageText, PdfReply, PdfRequest } from './pdf-messages.ts';

const MOST_PAGES = 500;
const MOST_TEXTS = 5_000;
/** Larger pictures in a PDF are left out. */
const MOST_IMAGE_PIXELS = 67_108_864;

interface WorkerScope {
  addEventListener(type: 'message', listener: (event: { data: PdfRequest }) => void): void;
  postMessage(reply: PdfReply, transfer: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope; // a worker's global object, which the page's types do not describe

interface CanvasAndContext {
  canvas: OffscreenCanvas;
  context: OffscreenCanvasRenderingContext2D | null;
}

/** pdf.js makes canvases of a document otherwise, which a worker does not have. */
class Canvases {
  create(width: number, height: number): CanvasAndContext {
    const canvas = new OffscreenCanvas(width, height);
    return { canvas, context: canvas.getContext('2d') };
  }
  reset({ canvas }: CanvasAndContext, width: number, height: number): void {
    Object.assign(canvas, { width, height });
  }
  destroy({ canvas }: CanvasAndContext): void {
    Object.assign(canvas, { width: 0, height: 0 });
  }
}

/** Filters are SVG elements of a document: a worker draws without them. */
class NoFilters {
  addFilter = (): string => 'none';
  addHCMFilter = this.addFilter;
  addAlphaFilter = this.addFilter;
  addLuminosityFilter = this.addFilter;
  addHighlightHCMFilter = this.addFilter;
  destroy(): void {}
}

let opened: PDFDocumentProxy | undefined;

scope.addEventListener('message', ({ data }) => {
  // pdf.js listens to the same messages and ignores ours, as we ignore its own.
  if (data.type !== 'open' && data.type !== 'draw') return;
  const answer = data.type === 'open' ? open(data.bytes) : draw(data.page, data.scale);
  answer.catch((error: unknown) => {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    scope.postMessage({ type: 'failed', isLocked }, []);
  });
});

async function open(data: Uint8Array<ArrayBuffer>): Promise<void> {
  opened = await getDocument({
    data,
    CanvasFactory: Canvases,
    FilterFactory: NoFilters,
    // Glyphs are drawn as paths, because a worker has no fonts of a document.
    disableFontFace: true,
    useSystemFonts: true,
    enableXfa: false,
    maxImageSize: MOST_IMAGE_PIXELS,
    useWasm: false,
    useWorkerFetch: false,
    verbosity: 0,
  }).promise;
  const pages = [];
  for (let number = 1; number <= Math.min(opened.numPages, MOST_PAGES); number += 1) {
    const { width, height } = (await opened.getPage(number)).getViewport({ scale: 1 });
    pages.push({ width, height });
  }
  scope.postMessage({ type: 'opened', pages, isCut: opened.numPages > MOST_PAGES }, []);
}

async function draw(number: number, scale: number): Promise<void> {
  if (!opened) throw new Error('no file is open');
  const page = await opened.getPage(number);
  const viewport = page.getViewport({ scale });
  const canvas = new OffscreenCanvas(Math.max(1, Math.floor(viewport.width)), Math.max(1, Math.floor(viewport.height)));
  // The types know only canvases of a document; drawing needs no more than both kinds have.
  await page.render({ canvas: canvas as unknown as HTMLCanvasElement, viewport }).promise;
  const texts = await textsOf(page);
  page.cleanup();
  const image = canvas.transferToImageBitmap();
  scope.postMessage({ type: 'drawn', image, texts }, [image]);
}

async function textsOf(page: PDFPageProxy): Promise<PageText[]> {
  const { transform } = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  return items.slice(0, MOST_TEXTS).flatMap((item): PageText[] => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0]: number[] = Util.transform(transform, item.transform);
    const angle = (Math.atan2(b, a) * 180) / Math.PI;
    return [{ text: item.str, x, y, angle, width: item.width, height: Math.hypot(c, d) }];
  });
}
