/** The models of a text with one on each line, each once. */
export const modelsIn = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

/** The number that was typed, with or without separators; null for nothing, undefined for what is no number. */
export function tokensIn(typed: string): number | null | undefined {
  const digits = typed.replaceAll(/[\s.,_]/g, '');
  if (!/^\d{0,15}$/.test(digits)) return undefined;
  return digits === '' ? null : Number(digits);
}
