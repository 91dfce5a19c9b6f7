/** Parses a text with one model per line; drops duplicates. */
export const modelsIn = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

/** Parses a number with or without separators; null for an empty text, undefined for an invalid one. */
export function tokensIn(typed: string): number | null | undefined {
  const digits = typed.replaceAll(/[\s.,_]/g, '');
  if (!/^\d{0,15}$/.test(digits)) return undefined;
  return digits === '' ? null : Number(digits);
}
