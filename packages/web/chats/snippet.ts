const HIT_BEGINS = '\uE000';
const HIT_ENDS = '\uE001';

export interface SnippetPart {
  readonly text: string;
  readonly isHit: boolean;
}

/** A snippet of searchMessages in pieces: hits stand between U+E000 and U+E001. */
export function snippetParts(snippet: string): SnippetPart[] {
  const parts: SnippetPart[] = [];
  for (const [at, piece] of snippet.split(HIT_BEGINS).entries()) {
    const end = at === 0 ? -1 : piece.indexOf(HIT_ENDS);
    parts.push({ text: piece.slice(0, Math.max(0, end)), isHit: true });
    parts.push({ text: end === -1 ? piece : piece.slice(end + 1), isHit: false });
  }
  return parts.filter(({ text }) => text !== '');
}
