import { storage } from './storage.ts';

const THEME = 'parley.theme';
const TEXT_SIZE = 'parley.text';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];
const textSizes = ['small', 'medium', 'large', 'larger'] as const;
export type TextSize = (typeof textSizes)[number];

export const savedTheme = (): Theme => themes.find((theme) => theme === storage.getItem(THEME)) ?? 'system';
export const savedTextSize = (): TextSize => textSizes.find((size) => size === storage.getItem(TEXT_SIZE)) ?? 'medium';

/** Applies the theme and saves it in this browser. */
export function setTheme(theme: Theme): void {
  storage.setItem(THEME, theme);
  applyTheme();
}

export function setTextSize(size: TextSize): void {
  storage.setItem(TEXT_SIZE, size);
  applyTheme();
}

const listeners = new Set<() => void>();

/** The theme that the page shows. */
export const shownTheme = (): Theme =>
  themes.find((theme) => theme === document.documentElement.dataset['theme']) ?? 'system';

/** Calls back when the theme or the text size has been set. */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Applies the text size saved in this browser, and the theme: by default the one that is saved too. */
export function applyTheme(theme = savedTheme()): void {
  const { dataset } = document.documentElement;
  const size = savedTextSize();
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  if (size === 'medium') delete dataset['text'];
  else dataset['text'] = size;
  for (const listener of listeners) listener();
}
