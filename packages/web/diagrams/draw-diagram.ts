// Draws diagrams in a sandboxed frame. May import: the rooms below diagrams.
import type { DiagramReply, DiagramRequest } from './messages.ts';
import { t } from '../words/t.ts';

declare const DIAGRAM_PLACE: string;

/** An image, and its size in CSS pixels. */
export interface Diagram {
  readonly address: string;
  readonly width: number;
  readonly height: number;
}

/** Longer sources are shown as code. */
const MAX_LENGTH = 16_384;
/** Longer drawings are dropped: they would stay in memory. */
const MAX_SVG = 1_048_576;
const MAX_PIXELS = 20_000;
/** How long the frame may load, and how long it may draw. */
const LOADING_MS = 30_000;
const DRAWING_MS = 5_000;
/** How many drawings are kept for rows that are displayed again. */
const MAX_KEPT = 30;

const kept = new Map<string, Promise<Diagram | null>>();
let frame: Promise<HTMLIFrameElement> | undefined;
let queue: Promise<unknown> = Promise.resolve();

/**
 * Draws a diagram: null if its source is none. Drawings are made one after another, and the newest are kept. Throws if
 * the frame does not load, or does not finish in time.
 */
export function drawDiagram(source: string, isDark: boolean): Promise<Diagram | null> {
  const key = `${isDark} ${source}`;
  const known = kept.get(key);
  kept.delete(key);
  const drawing = known ?? (source.length > MAX_LENGTH ? Promise.resolve(null) : queued({ source, isDark }));
  kept.set(key, drawing);
  drawing.catch(() => kept.delete(key));
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break;
    kept.delete(oldest);
  }
  return drawing;
}

function queued(request: DiagramRequest): Promise<Diagram | null> {
  const drawing = queue.then(() => ask(request)).then(imageOf);
  queue = drawing.catch(() => null);
  return drawing;
}

async function ask(request: DiagramRequest): Promise<DiagramReply> {
  const { contentWindow } = await (frame ??= openFrame());
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // A diagram that takes too long ends with its frame.
      closeFrame();
      reject(new Error('the frame does not answer'));
    }, DRAWING_MS);
    port1.addEventListener('message', ({ data }: MessageEvent<DiagramReply>) => {
      clearTimeout(timer);
      port1.close();
      resolve(data);
    });
    port1.start();
    // The frame has an opaque origin.
    contentWindow?.postMessage(request, '*', [port2]);
  });
}

function openFrame(): Promise<HTMLIFrameElement> {
  const element = document.createElement('iframe');
  element.sandbox.add('allow-scripts');
  element.src = `${DIAGRAM_PLACE}/frame.html`;
  element.title = t('Diagrams');
  element.tabIndex = -1;
  element.ariaHidden = 'true';
  // Displayed, so that text in it has a size, but not seen.
  Object.assign(element.style, {
    position: 'fixed',
    inset: '0 auto auto 0',
    width: '1px',
    height: '1px',
    opacity: '0',
  });
  element.style.pointerEvents = 'none';
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      closeFrame();
      reject(new Error('the frame does not load'));
    }, LOADING_MS);
    element.addEventListener('load', () => {
      clearTimeout(timer);
      resolve(element);
    });
    document.body.append(element);
  });
}

function closeFrame(): void {
  document.querySelector(`iframe[src^="${DIAGRAM_PLACE}/"]`)?.remove();
  frame = undefined;
}

/** Checks what the frame has answered: the source of a diagram may have taken it over. */
function imageOf(reply: unknown): Diagram | null {
  if (typeof reply !== 'object' || reply === null) return null;
  const { svg, width, height } = reply as Partial<Record<string, unknown>>;
  if (typeof svg !== 'string' || svg.length > MAX_SVG || !isSize(width) || !isSize(height)) return null;
  return { address: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, width, height };
}

const isSize = (value: unknown): value is number => typeof value === 'number' && value > 0 && value <= MAX_PIXELS;
