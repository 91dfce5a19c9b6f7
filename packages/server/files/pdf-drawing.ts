// Runs in the inspecting process only: the first page of a PDF as an SVG, drawn by pdf.js.
import { LUMINANCE, SvgCanvas, type SvgContext, SvgPage } from './svg-canvas.ts';
import { SvgMatrix, SvgPath } from './svg-path.ts';
import { openPdf } from './pdf-text.ts';

/** The one filter that can be written, and names for others, with which a page is not drawn. */
class Filters {
  addFilter = (): string => 'none';
  addHCMFilter = (): string => 'none';
  addAlphaFilter = (): string => 'none';
  addLuminosityFilter = (): string => LUMINANCE;
  addKnockoutFilter = (): string => 'knockout';
  addHighlightHCMFilter = (): string => 'none';
  destroy = (): void => undefined;
}

/** The first page as an SVG whose longer side has `px`. */
export async function drawPdf(bytes: Buffer, px: number): Promise<Buffer> {
  // pdf.js makes them itself, and this process has nothing else that does.
  Object.assign(globalThis, { Path2D: SvgPath, DOMMatrix: SvgMatrix });
  const drawing = new SvgPage();
  class Canvases {
    create(width: number, height: number): { canvas: SvgCanvas; context: SvgContext } {
      const canvas = new SvgCanvas(width, height, drawing);
      return { canvas, context: canvas.getContext() };
    }

    reset({ canvas }: { canvas: SvgCanvas }, width: number, height: number): void {
      Object.assign(canvas, { width, height });
      canvas.clear();
    }

    destroy({ canvas }: { canvas: SvgCanvas }): void {
      canvas.clear();
    }
  }
  const pdf = await openPdf(bytes, { CanvasFactory: Canvases, FilterFactory: Filters, useSystemFonts: false });
  const page = await pdf.getPage(1);
  const { width, height } = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: px / Math.max(width, height) });
  const canvas = new SvgCanvas(viewport.width, viewport.height, drawing);
  // pdf.js needs of a canvas what these have.
  const target = { canvas, canvasContext: canvas.getContext() } as unknown as { canvas: HTMLCanvasElement };
  await page.render({ ...target, viewport, background: '#fff' }).promise;
  const size = `width="${canvas.width}" height="${canvas.height}"`;
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${canvas.content()}</svg>`);
}
