/** Maximum length of the name or title of a tool in a sentence of the service's, in UTF-16 units. */
const TITLE_UNITS = 120;

/**
 * Words of a server of tools, for a sentence of the service's that quotes them with “…”: one line, without what could end
 * the quotation, and with markup escaped (WAIT-11).
 */
export function inQuotes(text: string, maxUnits = TITLE_UNITS): string {
  const line = text
    .slice(0, maxUnits)
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .replaceAll(/["“”„‟«»＂]/gu, "'")
    .trim();
  const escaped = line.replaceAll(/[\\`*[\]<>~|]/gu, String.raw`\$&`);
  return text.length > maxUnits ? `${escaped}…` : escaped;
}
