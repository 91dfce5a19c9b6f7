/** Images that every browser shows and that cannot contain scripts. */
const photos = new Map([
  ['image/png', 'image/png'],
  ['image/apng', 'image/png'],
  ['image/jpeg', 'image/jpeg'],
  ['image/gif', 'image/gif'],
  ['image/webp', 'image/webp'],
  ['image/avif', 'image/avif'],
]);

/** Media types that browsers play inline. */
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

/** Types that execute nothing when the file is saved and opened; all others are served without their type. */
const harmless =
  /^(?:(?:image|audio|video|font)\/(?!.*(?:svg|xml))[\w.+-]+|text\/plain|application\/(?:pdf|zip|gzip|x-7z-compressed|x-tar|x-bzip2|x-xz|zstd|epub\+zip|rtf|x-cfb|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)[\w.-]+))$/;

export const ANY_TYPE = 'application/octet-stream';

/** The media type under which a photo is served; undefined if the file is not a photo (FILE-7). */
export const photoType = (sniffed: string | undefined): string | undefined => photos.get(sniffed ?? '');

/** The media type under which a file that is not a photo is stored. */
export function fileType(sniffed: string | undefined): string {
  const type = sniffed?.replace(/;.*/s, '').trim() ?? '';
  // A file that starts like a photo but could not be decoded gets the generic type.
  return harmless.test(type) && !photos.has(type) ? type : ANY_TYPE;
}

/** Whether browsers show the file inline; all others are offered as downloads (FILE-9). */
export const isShown = (kind: 'photo' | 'file', type: string): boolean => kind === 'photo' || played.has(type);

const OFFICE = /^application\/vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)\./;
/** Whether files of the type are those of office programs, which may bring a picture of their first page (FILE-41). */
export const isOfficeType = (type: string | undefined): boolean => type !== undefined && OFFICE.test(type);
