/** What the page asks the worker that draws a PDF, one request after another. */
export type PdfRequest =
  | { readonly type: 'open'; readonly file: Blob }
  /** Draws a page, the first is 1, in pixels per point. */
  | { readonly type: 'draw'; readonly page: number; readonly scale: number }
  /** Reads the words of a page. */
  | { readonly type: 'read'; readonly page: number };

/** In points, as the page is displayed. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

/** A piece of text and where its base line begins, in points from the top left. */
export interface PageText extends PageSize {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** In degrees, clockwise. */
  readonly angle: number;
}

export interface OpenedPdf {
  readonly type: 'opened';
  readonly pages: readonly PageSize[];
  /** There are more pages. */
  readonly isCut: boolean;
}

export interface DrawnPage {
  readonly type: 'drawn';
  readonly image: ImageBitmap;
  readonly texts: readonly PageText[];
  /** Pictures are missing: they are too large, or damaged. */
  readonly isPartial: boolean;
}

export interface ReadPage {
  readonly type: 'read';
  readonly texts: readonly PageText[];
}

export type PdfReply =
  /** The worker's script has loaded. */
  | { readonly type: 'ready' }
  | OpenedPdf
  | DrawnPage
  | ReadPage
  /** The file needs a password, or the file or the page cannot be read. */
  | { readonly type: 'failed'; readonly isLocked: boolean };
