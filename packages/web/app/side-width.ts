import type { CSSProperties } from 'react';
import { storage } from '../browser/storage.ts';

const KEY = 'parley.side-width';
/** The least and the most pixels that a person can give the list of conversations. */
export const sideWidths = { least: 240, most: 480 } as const;

export const fittingWidth = (width: number): number =>
  Math.round(Math.min(sideWidths.most, Math.max(sideWidths.least, width)));

/** The width that was chosen on this device; null for the usual one. */
export function savedSideWidth(): number | null {
  const saved = Number(storage.getItem(KEY));
  return saved > 0 ? fittingWidth(saved) : null;
}

export function saveSideWidth(width: number | null): void {
  if (width === null) storage.removeItem(KEY);
  else storage.setItem(KEY, String(width));
}

// A custom property is no field of the type.
export const sideStyle = (width: number): CSSProperties => ({ '--side-width': `${width}px` }) as CSSProperties;
