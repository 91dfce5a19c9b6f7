import { byteLength } from '@parley/protocol';

const MAX_BYTES = 255;
const MAX_EXTENSION = 16;
/** Control characters, what turns the direction of text, what breaks lines, and marks that nobody sees. */
const unshown = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/** Text of a stranger in one line, without what is not shown. */
export const oneLine = (given: string): string => given.toWellFormed().replaceAll(unshown, ' ').trim();

/** A name by which a file may be shown and saved: no path, no tricks, of bounded length (FILE-8). */
export function safeName(given: string): string {
  const name = given
    .toWellFormed()
    .slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1)
    .replaceAll(unshown, '')
    // What a file system may not have in a name.
    .replaceAll(/[<>:"|?*]/g, '_')
    .replaceAll(/^[\s.]+|[\s.]+$/g, '');
  return cut(name) || 'file';
}

/** Keeps the extension: by it people and programs tell what a file is. */
function cut(name: string): string {
  if (byteLength(name) <= MAX_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot) : '';
  const end = byteLength(extension) <= MAX_EXTENSION ? extension : '';
  let stem = '';
  let left = MAX_BYTES - byteLength(end);
  for (const character of name.slice(0, name.length - end.length)) {
    left -= byteLength(character);
    if (left < 0) break;
    stem += character;
  }
  return stem.trimEnd() + end;
}

/** The header that offers a name for saving, in ASCII and whole (RFC 6266). */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
