type Color = readonly [red: number, green: number, blue: number];

const white: Color = [255, 255, 255];
const black: Color = [0, 0, 0];
/** `--surface` of the dark theme; that of the light one is white. */
const night: Color = [31, 32, 29];
/** Its lightest surface, `--surface-raised`. */
const raised: Color = [40, 42, 38];
/** How much of the accent a soft background has. */
const SOFT = 0.14;
/** Contrast of text that everybody can read (WCAG, AA). */
const READABLE = 4.5;
const STEP = 0.05;

interface Accent {
  /** Values of the palette's variables, each for the light and the dark theme. */
  readonly accent: string;
  readonly ink: string;
  readonly soft: string;
}

/**
 * The palette of an accent colour such as `#0a58ca`, made darker on light and lighter on dark surfaces until text in it is
 * readable (WIDGET-10). Null if it is not such a colour.
 */
export function accentOf(text: string): Accent | null {
  if (!/^#[\da-f]{6}$/i.test(text)) return null;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16));
  const given: Color = [red, green, blue];
  const light = readable(given, white, black);
  const dark = readable(given, raised, white);
  return {
    accent: both(light, dark),
    ink: both(inkOn(light), inkOn(dark)),
    soft: both(mix(white, light, SOFT), mix(night, dark, SOFT)),
  };
}

/**
 * The colour, mixed with `end` until text in it is readable on a soft background of it over `surface`, which is harder
 * than on any surface of the palette.
 */
function readable(color: Color, surface: Color, end: Color): Color {
  for (let share = 0; share < 1; share += STEP) {
    const mixed = mix(color, end, share);
    if (contrast(mixed, mix(surface, mixed, SOFT)) >= READABLE) return mixed;
  }
  return end;
}

const inkOn = (color: Color): Color => (contrast(color, white) >= READABLE ? white : black);

/** `share` of the second colour in the first. */
function mix(first: Color, second: Color, share: number): Color {
  const part = (at: 0 | 1 | 2): number => Math.round(first[at] + (second[at] - first[at]) * share);
  return [part(0), part(1), part(2)];
}

const both = (light: Color, dark: Color): string => `light-dark(rgb(${light.join(' ')}), rgb(${dark.join(' ')}))`;

/** The ratio of WCAG, from 1 to 21. */
export function contrast(first: Color, second: Color): number {
  const [dark = 0, light = 0] = [luminance(first), luminance(second)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const linear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

const luminance = ([red, green, blue]: Color): number =>
  0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255);
