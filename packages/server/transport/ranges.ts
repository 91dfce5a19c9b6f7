import type { ByteRange } from '../files/storage.ts';

/** What a response contains: all bytes, a range, or none because the range lies outside the file. */
export type Part = ByteRange | 'all' | 'none';

interface RangeHeaders {
  range?: string | undefined;
  'if-range'?: string | string[] | undefined;
}

/** Parses the range headers (RFC 9110, 14). Multiple ranges and malformed headers count as a request for everything. */
export function partOf({ range, 'if-range': ifRange }: RangeHeaders, etag: string, size: number): Part {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range?.trim() ?? '') ?? [];
  if (first === '' && last === '') return 'all';
  if (ifRange !== undefined && ifRange !== etag) return 'all';
  if (first === '') {
    const count = Math.min(Number(last), size);
    return count > 0 ? { first: size - count, last: size - 1 } : 'none';
  }
  if (last !== '' && Number(last) < Number(first)) return 'all';
  if (Number(first) >= size) return 'none';
  return { first: Number(first), last: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/** Whether the client already has these bytes. */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
