/** Images that every browser shows, and that hold no script. */
const photos = new Map([
  ['image/png', 'image/png'],
  ['image/apng', 'image/png'],
  ['image/jpeg', 'image/jpeg'],
  ['image/gif', 'image/gif'],
  ['image/webp', 'image/webp'],
  ['image/avif', 'image/avif'],
]);

/** What a browser plays in its place. */
const played = new Set([
  'audio/mpeg',
  'audio/mp4',
  'audio/x-m4a',
  'audio/aac',
  'audio/ogg',
  'audio/ogg; codecs=opus',
  'audio/opus',
  'audio/wav',
  'audio/flac',
  'audio/x-flac',
  'audio/webm',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
]);

/** Types that make nothing run where they are saved and opened by their name; all else has none. */
const harmless =
  /^(?:(?:image|audio|video|font)\/(?!.*(?:svg|xml))[\w.+-]+|text\/plain|application\/(?:pdf|zip|gzip|x-7z-compressed|x-tar|x-bzip2|x-xz|zstd|epub\+zip|rtf|x-cfb|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)[\w.-]+))$/;

export const ANY_TYPE = 'application/octet-stream';

/** The type of a photo as it is served; undefined for everything else (FILE-7). */
export const photoType = (sniffed: string | undefined): string | undefined => photos.get(sniffed ?? '');

/** The type under which a file that is no photo is kept. */
export function fileType(sniffed: string | undefined): string {
  const type = sniffed?.replace(/;.*$/, '').trim() ?? '';
  // A photo by its first bytes that could not be read as one is anything.
  return harmless.test(type) && !photos.has(type) ? type : ANY_TYPE;
}

/** True for what is shown in its place; all else is offered for saving (FILE-9). */
export const isShown = (kind: 'photo' | 'file', type: string): boolean => kind === 'photo' || played.has(type);
