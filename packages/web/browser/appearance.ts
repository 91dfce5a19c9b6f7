const THEME = 'parley.theme';
const TEXT_SIZE = 'parley.text';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];
export const textSizes = ['small', 'medium', 'large', 'larger'] as const;
export type TextSize = (typeof textSizes)[number];

export const savedTheme = (): Theme => themes.find((theme) => theme === localStorage.getItem(THEME)) ?? 'system';
export const savedTextSize = (): TextSize =>
  textSizes.find((size) => size === localStorage.getItem(TEXT_SIZE)) ?? 'medium';

/** The page looks so from now on, and in this browser the next time too. */
export function setTheme(theme: Theme): void {
  localStorage.setItem(THEME, theme);
  applyTheme();
}

export function setTextSize(size: TextSize): void {
  localStorage.setItem(TEXT_SIZE, size);
  applyTheme();
}

/** Colours and size of text, as they were chosen in this browser. */
export function applyTheme(): void {
  const { dataset } = document.documentElement;
  const theme = savedTheme();
  const size = savedTextSize();
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  if (size === 'medium') delete dataset['text'];
  else dataset['text'] = size;
}
