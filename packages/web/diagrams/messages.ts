/** Sent to the frame, with a port for its answer. */
export interface DiagramRequest {
  readonly source: string;
  readonly isDark: boolean;
}

/** An SVG document, and its size in CSS pixels. Null if the source is not a diagram. */
export type DiagramReply = { readonly svg: string; readonly width: number; readonly height: number } | null;
