import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { existsSync, readdirSync } from 'node:fs';
import type { UploadedFile } from '@parley/protocol';
import type { Actor, World } from '@parley/testing';
import sharp from 'sharp';
import { withHead } from './raw-http.ts';

/** The content of a test's file. */
export type FileContent = string | Uint8Array<ArrayBuffer>;

/** A valid photo. */
export async function photo(
  format: 'png' | 'jpeg' | 'gif' | 'webp' | 'avif',
  {
    width = 60,
    height = 40,
    orientation,
    isNoise = false,
  }: { width?: number; height?: number; orientation?: number; isNoise?: boolean } = {},
): Promise<Buffer<ArrayBuffer>> {
  const raw = { width, height, channels: 3 } as const;
  // Noise is as large as a photo.
  const image = isNoise
    ? sharp(randomBytes(width * height * 3), { raw })
    : sharp({ create: { ...raw, background: '#c04020' } });
  const bytes = await (orientation === undefined ? image : image.withMetadata({ orientation }))
    .toFormat(format)
    .toBuffer();
  return Buffer.from(bytes);
}

export const upload = (actor: Actor, bytes: FileContent, name = 'a.bin'): Promise<UploadedFile> =>
  actor.api.uploadFile({ file: new File([bytes], name) });

/** Fetches a signed address without a token. */
export const get = (world: World, url: string | undefined, init: RequestInit = {}): Promise<Response> =>
  fetch(`${world.url}${url ?? '/nowhere'}`, init);

/** The address without its signature. */
export const bare = (url: string | undefined): string => (url ?? '').replace(/\?.*$/, '');

/** The status of a file's address without a signature but with the actor's token. */
export const statusFor = async (world: World, actor: Actor, { id }: { id?: string | undefined }): Promise<number> => {
  const response = await get(world, `/files/${id}`, { headers: { authorization: `Bearer ${actor.token}` } });
  await response.arrayBuffer();
  return response.status;
};

const names = (folder: string): string[] =>
  !existsSync(folder)
    ? []
    : readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
        entry.isFile() ? [entry.name] : [],
      );

/** The names of all stored bytes, and of uploads in progress. */
export async function storedNames({ service }: World): Promise<string[]> {
  const stored: string[] = [];
  for await (const name of service.files.storage.list()) stored.push(name);
  return stored.toSorted();
}
export const incomingNames = ({ dataDirs }: World): string[] =>
  dataDirs.flatMap((folder) => names(join(folder, 'files', 'incoming')));

const BOUNDARY = 'a-boundary';

interface Part {
  head: string;
  body?: string | Buffer;
}

export const filePart = (body: string | Buffer, name = 'x.bin', field = 'file'): Part => ({
  head: `content-disposition: form-data; name="${field}"; filename="${name}"`,
  body,
});

/** The exact bytes of a form's body. */
export function formBody(parts: readonly Part[], end = `--${BOUNDARY}--\r\n`): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ head, body = '' }) => [
      Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`),
      Buffer.from(body),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(end),
  ]);
}

export const FORM_TYPE = `content-type: multipart/form-data; boundary=${BOUNDARY}\r\n`;

/** A complete upload request. */
export function uploadRequest(head: string, body: Buffer, type = FORM_TYPE): Buffer {
  return withHead(`POST /api/uploadFile HTTP/1.1\r\n${head}${type}content-length: ${body.length}\r\n\r\n`, body);
}
