import { Zip } from './zip.ts';

/** Where programs keep a picture of the first page: LibreOffice always, PowerPoint usually, Word and Excel on demand. */
const places = [
  'Thumbnails/thumbnail.png',
  'docProps/thumbnail.jpeg',
  'docProps/thumbnail.jpg',
  'docProps/thumbnail.png',
];

/**
 * The picture of its first page that an office file brings, as its program saved it, a PNG or JPEG if it is right; null
 * if there is none (FILE-41). Throws an OfficeFailure if the bytes are no ZIP file.
 */
export async function ownPicture(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | null> {
  const zip = new Zip(bytes);
  const place = places.find((name) => zip.has(name));
  return place === undefined ? null : zip.bytes(place);
}
