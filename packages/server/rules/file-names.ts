import { normalForm } from '@parley/markdown';
import { byteLength } from '@parley/protocol';

const MAX_BYTES = 255;
const MAX_EXTENSION = 16;
/** Control characters, direction marks, line breaks and invisible characters. */
const invisible = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/** Untrusted text on one line, without invisible characters. */
export const oneLine = (given: string): string => given.toWellFormed().replaceAll(invisible, ' ').trim();

/**
 * A name that is safe to display and to save a file under: no path, no invisible characters, limited length (FILE-8).
 */
export function safeName(given: string): string {
  const path = normalForm(given.toWellFormed(), 'NFC');
  const name = path
    .slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
    .replaceAll(invisible, '')
    // Characters that some file systems forbid in names.
    .replaceAll(/[<>:"|?*]/g, '_')
    .replaceAll(/^[\s.]+|(?<![\s.])[\s.]+$/g, '');
  return cut(name) || 'file';
}

/** Cuts a long name, but keeps its extension, by which people and programs recognize the type. */
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

/** The Content-Disposition header, with the name as ASCII and in full (RFC 6266). */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
