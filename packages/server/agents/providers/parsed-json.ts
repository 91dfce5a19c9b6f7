/** Parses JSON; returns undefined if the text is not JSON, or null because it was too long. */
export function parsedJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
