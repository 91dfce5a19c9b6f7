// Runs in the inspecting process only: a canvas for pdf.js that writes an SVG, because Node has no canvas and the
// process may load no other native code. What it cannot write throws, and the page is not drawn.
import { png, type Pixels, shrunk } from './png.ts';
import { type DomMatrix, type Matrix, matrixOf, multiplied, short, SvgMatrix, SvgPath } from './svg-path.ts';

/** Maximum length of all that is written for a page. */
const MAX_LENGTH = 24 * 1024 * 1024;
/** Maximum pixels of one canvas. */
const MAX_CANVAS_PIXELS = 16 * 1024 * 1024;
/** Longest side of a picture in the drawing, which has half of it. */
const PICTURE_PX = 1024;

/** The filter that turns brightness into opacity, as masks of PDFs need it. */
export const LUMINANCE = 'luminance';

/** What is drawn of one page: ids are unique in it, and its length is bounded. */
export class SvgPage {
  #ids = 0;
  #length = 0;

  nextId(): string {
    this.#ids += 1;
    return `x${this.#ids}`;
  }

  count(text: string): string {
    this.#length += text.length;
    if (this.#length > MAX_LENGTH) throw new Error('too much to draw');
    return text;
  }
}

interface Paint {
  /** What defines the paint, beside the element that uses it. */
  define: (id: string) => string;
}

class Gradient implements Paint {
  readonly #element: string;
  readonly #stops: string[] = [];

  constructor(element: string) {
    this.#element = element;
  }

  addColorStop(offset: number, color: string): void {
    this.#stops.push(`<stop offset="${short(offset)}" stop-color="${safe(color)}"/>`);
  }

  define(id: string): string {
    const [name] = this.#element.split(' ', 1);
    return `<${this.#element} id="${id}" gradientUnits="userSpaceOnUse">${this.#stops.join('')}</${name}>`;
  }
}

class Pattern implements Paint {
  readonly #canvas: SvgCanvas;
  readonly #content: string;
  #matrix: Matrix = identity;

  constructor(canvas: SvgCanvas) {
    this.#canvas = canvas;
    this.#content = canvas.content();
  }

  setTransform(matrix: DomMatrix): void {
    this.#matrix = matrixOf(matrix);
  }

  define(id: string): string {
    const { width, height } = this.#canvas;
    return `<pattern id="${id}" patternUnits="userSpaceOnUse" width="${width}" height="${height}" patternTransform="${matrixText(this.#matrix)}">${this.#content}</pattern>`;
  }
}

const identity: Matrix = [1, 0, 0, 1, 0, 0];
const matrixText = (matrix: Matrix): string => `matrix(${matrix.map(short).join(' ')})`;
/** Colours come from pdf.js, which makes them of numbers; nothing else may end the attribute. */
const safe = (color: string): string => color.replaceAll(/[^\w#(),.%\s-]/g, '');
const blends = new Set(
  'multiply screen overlay darken lighten color-dodge color-burn hard-light soft-light difference exclusion hue saturation color luminosity'.split(
    ' ',
  ),
);

const initial = {
  matrix: identity,
  clip: '',
  fillStyle: '#000' as string | Paint,
  strokeStyle: '#000' as string | Paint,
  globalAlpha: 1,
  globalCompositeOperation: 'source-over',
  lineWidth: 1,
  lineCap: 'butt',
  lineJoin: 'miter',
  miterLimit: 10,
  lineDashOffset: 0,
  dash: [] as readonly number[],
  filter: 'none',
  font: '',
  imageSmoothingEnabled: true,
};

/** The part of a canvas's context that pdf.js uses. */
export class SvgContext {
  readonly canvas: SvgCanvas;
  readonly #page: SvgPage;
  readonly #saved: (typeof initial)[] = [];
  #path = new SvgPath();
  state = { ...initial };

  constructor(canvas: SvgCanvas, page: SvgPage) {
    this.canvas = canvas;
    this.#page = page;
    // pdf.js reads and sets them as properties of the context.
    for (const name of Object.keys(initial))
      if (!(name in this))
        Object.defineProperty(this, name, {
          get: () => Reflect.get(this.state, name) as unknown,
          set: (value) => {
            Reflect.set(this.state, name, value);
          },
        });
  }

  save(): void {
    this.#saved.push({ ...this.state });
  }

  restore(): void {
    this.state = this.#saved.pop() ?? this.state;
  }

  transform(...matrix: Matrix): void {
    this.state.matrix = multiplied(this.state.matrix, matrix);
  }

  translate(x: number, y: number): void {
    this.transform(1, 0, 0, 1, x, y);
  }

  scale(x: number, y: number): void {
    this.transform(x, 0, 0, y, 0, 0);
  }

  rotate(angle: number): void {
    this.transform(Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0);
  }

  setTransform(...given: Matrix | [DomMatrix]): void {
    this.state.matrix = given.length === 1 ? matrixOf(given[0]) : given;
  }

  resetTransform(): void {
    this.state.matrix = identity;
  }

  getTransform(): SvgMatrix {
    return new SvgMatrix(this.state.matrix);
  }

  setLineDash(dash: readonly number[]): void {
    this.state.dash = dash;
  }

  getLineDash(): readonly number[] {
    return this.state.dash;
  }

  beginPath(): void {
    this.#path = new SvgPath();
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.#path.rect(x, y, width, height);
  }

  moveTo(x: number, y: number): void {
    this.#path.moveTo(x, y);
  }

  lineTo(x: number, y: number): void {
    this.#path.lineTo(x, y);
  }

  bezierCurveTo(...points: number[]): void {
    this.#path.bezierCurveTo(...points);
  }

  closePath(): void {
    this.#path.closePath();
  }

  clip(...given: [path?: SvgPath | string, rule?: string]): void {
    const { path, rule } = this.#given(given);
    const id = this.#page.nextId();
    const { matrix, clip } = this.state;
    const outer = clip === '' ? '' : ` clip-path="url(#${clip})"`;
    this.canvas.define(
      `<clipPath id="${id}"${outer}><path d="${path.toString()}" clip-rule="${rule}" transform="${matrixText(matrix)}"/></clipPath>`,
    );
    this.state.clip = id;
  }

  fill(...given: [path?: SvgPath | string, rule?: string]): void {
    const { path, rule } = this.#given(given);
    this.#fill(path, rule);
  }

  #fill(path: SvgPath, rule: string): void {
    this.#put(`<path d="${path.toString()}" fill-rule="${rule}" stroke="none" ${this.#paint('fill')}`);
  }

  stroke(given?: SvgPath): void {
    const { lineWidth, lineCap, lineJoin, miterLimit, lineDashOffset, dash } = this.state;
    const dashes =
      dash.length > 0
        ? ` stroke-dasharray="${dash.map(short).join(' ')}" stroke-dashoffset="${short(lineDashOffset)}"`
        : '';
    this.#put(
      `<path d="${(given ?? this.#path).toString()}" fill="none" stroke-width="${short(lineWidth)}" stroke-linecap="${lineCap}" stroke-linejoin="${lineJoin}" stroke-miterlimit="${short(Math.max(1, miterLimit))}"${dashes} ${this.#paint('stroke')}`,
    );
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const path = new SvgPath();
    path.rect(x, y, width, height);
    this.#fill(path, 'nonzero');
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    const path = new SvgPath();
    path.rect(x, y, width, height);
    this.stroke(path);
  }

  /** pdf.js clears whole canvases only. */
  clearRect(): void {
    this.canvas.clear();
  }

  createLinearGradient(...[x1, y1, x2, y2]: Matrix | number[]): Gradient {
    return new Gradient(`linearGradient ${attributes({ x1, y1, x2, y2 })}`);
  }

  createRadialGradient(...[fx, fy, fr, cx, cy, r]: Matrix | number[]): Gradient {
    return new Gradient(`radialGradient ${attributes({ fx, fy, fr, cx, cy, r })}`);
  }

  createPattern(canvas: SvgCanvas): Pattern {
    return new Pattern(canvas);
  }

  createImageData(width: number, height: number): Pixels {
    if (width * height > MAX_CANVAS_PIXELS) throw new Error('too many pixels');
    return { width, height, data: new Uint8ClampedArray(width * height * 4) };
  }

  putImageData(pixels: Pixels, x: number, y: number): void {
    this.canvas.put(pixels, x, y);
  }

  drawImage(source: SvgCanvas, ...at: number[]): void {
    const { width, height } = source;
    const [sx, sy, sw, sh, dx, dy, dw, dh] =
      at.length === 8 ? at : [0, 0, width, height, at[0], at[1], at[2] ?? width, at[3] ?? height];
    const place = attributes({ x: dx, y: dy, width: dw, height: dh });
    const view = [sx, sy, sw, sh].map((value) => short(value ?? 0)).join(' ');
    this.#put(
      `<g opacity="${short(this.state.globalAlpha)}"><svg ${place} viewBox="${view}" preserveAspectRatio="none">${source.content()}</svg></g>`,
      true,
    );
  }

  #given([path, rule]: [path?: SvgPath | string, rule?: string]): { path: SvgPath; rule: string } {
    const isPath = path instanceof SvgPath;
    const named = isPath ? rule : path;
    return { path: isPath ? path : this.#path, rule: named === 'evenodd' ? 'evenodd' : 'nonzero' };
  }

  #paint(of: 'fill' | 'stroke'): string {
    const paint = of === 'fill' ? this.state.fillStyle : this.state.strokeStyle;
    const opacity = `${of}-opacity="${short(this.state.globalAlpha)}"`;
    if (typeof paint === 'string') return `${of}="${safe(paint)}" ${opacity}`;
    const id = this.#page.nextId();
    this.canvas.define(paint.define(id));
    return `${of}="url(#${id})" ${opacity}`;
  }

  #filtered(element: string, filter: string): string {
    if (filter !== LUMINANCE) throw new Error('other filters are not drawn');
    const id = this.#page.nextId();
    this.canvas.define(
      `<filter id="${id}" color-interpolation-filters="sRGB"><feColorMatrix type="luminanceToAlpha"/></filter>`,
    );
    return `<g filter="url(#${id})">${element}</g>`;
  }

  /** Adds an element; one that is not whole gets its end here. */
  #put(element: string, isWhole = false): void {
    const { matrix, clip, globalCompositeOperation: operation, filter } = this.state;
    const whole = isWhole
      ? `<g transform="${matrixText(matrix)}">${element}</g>`
      : `${element} transform="${matrixText(matrix)}"/>`;
    const placed = filter === 'none' || filter === '' ? whole : this.#filtered(whole, filter);
    const clipped = clip === '' ? placed : `<g clip-path="url(#${clip})">${placed}</g>`;
    if (operation === 'source-over') this.canvas.add(clipped);
    else if (blends.has(operation)) this.canvas.add(`<g style="mix-blend-mode:${operation}">${clipped}</g>`);
    else if (operation === 'destination-in') this.canvas.replace((before, id) => masked(before, clipped, id));
    else if (operation === 'source-in') this.canvas.replace((before, id) => masked(clipped, before, id));
    else throw new Error(`${operation} is not drawn`);
  }
}

const attributes = (values: Readonly<Record<string, number | undefined>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${short(value ?? 0)}"`)
    .join(' ');

/** What of `content` is where `shape` is. */
const masked = (content: string, shape: string, id: string): string =>
  `<mask id="${id}" maskUnits="userSpaceOnUse" x="-9999" y="-9999" width="99999" height="99999" style="mask-type:alpha">${shape}</mask><g mask="url(#${id})">${content}</g>`;

/** A canvas: what was drawn on it as SVG, or pixels that were put there. */
export class SvgCanvas {
  width: number;
  height: number;
  readonly #page: SvgPage;
  readonly #context: SvgContext;
  #drawn: string[] = [];
  #pixels: Pixels | null = null;

  constructor(width: number, height: number, page: SvgPage) {
    this.width = Math.ceil(width);
    this.height = Math.ceil(height);
    this.#page = page;
    this.#context = new SvgContext(this, page);
  }

  getContext(): SvgContext {
    return this.#context;
  }

  clear(): void {
    this.#drawn = [];
    this.#pixels = null;
  }

  add(element: string): void {
    this.#settle();
    this.#drawn.push(this.#page.count(element));
  }

  define(definition: string): void {
    this.add(`<defs>${definition}</defs>`);
  }

  replace(change: (before: string, id: string) => string): void {
    this.#drawn = [this.#page.count(change(this.content(), this.#page.nextId()))];
    this.#pixels = null;
  }

  put({ width, height, data }: Pixels, x: number, y: number): void {
    const pixels = (this.#pixels ??= this.#context.createImageData(this.width, this.height));
    const columns = Math.min(width, pixels.width - x);
    for (let row = 0; row < height && y + row < pixels.height; row += 1)
      pixels.data.set(data.subarray(row * width * 4, (row * width + columns) * 4), ((y + row) * pixels.width + x) * 4);
  }

  /** All of it as elements. */
  content(): string {
    this.#settle();
    return this.#drawn.join('');
  }

  /** Writes the pixels, if there are some, as a picture. */
  #settle(): void {
    const pixels = this.#pixels;
    if (!pixels) return;
    this.#pixels = null;
    const address = `data:image/png;base64,${png(shrunk(pixels, PICTURE_PX)).toString('base64')}`;
    const size = `width="${this.width}" height="${this.height}"`;
    this.#drawn.push(this.#page.count(`<image ${size} preserveAspectRatio="none" href="${address}"/>`));
  }
}
