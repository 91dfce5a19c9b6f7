// Runs in the inspecting process only: a path as pdf.js builds it for a canvas, written for an SVG.

/** A matrix as SVG and canvases write it. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
/** A matrix as DOM has it. */
export interface DomMatrix {
  a: number;
  b: number;
  c: number;
  d: number;
  e: number;
  f: number;
}

export const matrixOf = ({ a, b, c, d, e, f }: DomMatrix): Matrix => [a, b, c, d, e, f];

/** What `inner` and then `outer` do. */
export const multiplied = ([a, b, c, d, e, f]: Matrix, [p, q, r, s, t, u]: Matrix): Matrix => [
  a * p + c * q,
  b * p + d * q,
  a * r + c * s,
  b * r + d * s,
  a * t + c * u + e,
  b * t + d * u + f,
];

/** A number of an SVG, to a hundredth of what is visible; what is not finite becomes 0. */
export const short = (value: number): string => (Number.isFinite(value) ? String(Math.round(value * 1e4) / 1e4) : '0');

/** The part of `Path2D` that pdf.js uses. */
export class SvgPath {
  readonly #steps: [command: string, ...points: number[]][] = [];

  moveTo(x: number, y: number): void {
    this.#steps.push(['M', x, y]);
  }

  lineTo(x: number, y: number): void {
    this.#steps.push(['L', x, y]);
  }

  bezierCurveTo(...points: number[]): void {
    this.#steps.push(['C', ...points]);
  }

  quadraticCurveTo(...points: number[]): void {
    this.#steps.push(['Q', ...points]);
  }

  closePath(): void {
    this.#steps.push(['Z']);
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.#steps.push(['M', x, y], ['L', x + width, y], ['L', x + width, y + height], ['L', x, y + height], ['Z']);
  }

  addPath(path: SvgPath, matrix?: DomMatrix): void {
    const { a, b, c, d, e, f } = matrix ?? { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
    for (const [command, ...points] of path.#steps) {
      const moved = points.map((value, at) =>
        at % 2 === 0 ? a * value + c * (points[at + 1] ?? 0) + e : b * (points[at - 1] ?? 0) + d * value + f,
      );
      this.#steps.push([command, ...moved]);
    }
  }

  toString(): string {
    return this.#steps.map(([command, ...points]) => command + points.map(short).join(' ')).join('');
  }
}

/** The part of `DOMMatrix` that pdf.js uses. */
export class SvgMatrix implements DomMatrix {
  a = 1;
  b = 0;
  c = 0;
  d = 1;
  e = 0;
  f = 0;

  constructor(values: readonly number[] = [1, 0, 0, 1, 0, 0]) {
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = values;
    this.#set([a, b, c, d, e, f]);
  }

  multiplySelf(other: DomMatrix): this {
    return this.#set(multiplied(matrixOf(this), matrixOf(other)));
  }

  preMultiplySelf(other: DomMatrix): this {
    return this.#set(multiplied(matrixOf(other), matrixOf(this)));
  }

  translateSelf(x: number, y: number): this {
    return this.#set(multiplied(matrixOf(this), [1, 0, 0, 1, x, y]));
  }

  scaleSelf(x: number, y = x): this {
    return this.#set(multiplied(matrixOf(this), [x, 0, 0, y, 0, 0]));
  }

  translate(x: number, y: number): SvgMatrix {
    return new SvgMatrix(matrixOf(this)).translateSelf(x, y);
  }

  scale(x: number, y = x): SvgMatrix {
    return new SvgMatrix(matrixOf(this)).scaleSelf(x, y);
  }

  /** Of a matrix without an inverse the values are not numbers, as in a browser. */
  invertSelf(): this {
    const { a, b, c, d, e, f } = this;
    const size = a * d - b * c;
    const inverse = [d, -b, -c, a, c * f - d * e, b * e - a * f].map((value) => (size === 0 ? NaN : value / size));
    const [p = 0, q = 0, r = 0, s = 0, t = 0, u = 0] = inverse;
    return this.#set([p, q, r, s, t, u]);
  }

  #set([a, b, c, d, e, f]: Matrix): this {
    return Object.assign(this, { a, b, c, d, e, f });
  }
}
