import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { FileBody } from '@parley/protocol';
import { invalid, ServiceError } from '../core/errors.ts';

/** What a body may have beside the file: the lines between its parts, and fields that nobody knows. */
const OVERHEAD_BYTES = 65_536;
const partLimits = { files: 1, fields: 16, parts: 32, fieldSize: 1_024, headerPairs: 32, headerSize: 8_192 } as const;

const cutShort = () => invalid('body', 'is cut short, or no multipart/form-data');

/** The file of a request, and how to have done with it: what is still on its way is then read and thrown away. */
export interface UploadBody {
  file: FileBody;
  stop: () => void;
}

/**
 * Reads a body of `multipart/form-data` as far as the beginning of its file (FILE-1). The bytes are read at the pace of
 * whoever takes them, and end only when the whole body has come, was well-formed, and `whenWhole` says that it may.
 */
export function readUpload(
  request: IncomingMessage,
  { maxFileBytes, whenWhole }: { maxFileBytes: number; whenWhole: () => Promise<void> },
): Promise<UploadBody> {
  const most = maxFileBytes + OVERHEAD_BYTES;
  const tooLarge = () =>
    new ServiceError('too_large', `the file is larger than ${maxFileBytes} bytes`, { field: 'file' });
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > most) return reject(tooLarge());
    const parser = parserFor(request);
    if (!parser) return reject(cutShort());
    const whole = Promise.withResolvers<void>();
    // Where nobody waits for it any more.
    whole.promise.catch(() => {});
    let part: Readable | undefined;
    let size = 0;

    const stop = (): void => {
      request.off('data', count);
      request.unpipe(parser);
      request.resume();
      part?.destroy();
    };
    const fail = (error: ServiceError): void => {
      whole.reject(error);
      part?.destroy(error);
      stop();
      reject(error);
    };
    const count = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > most) fail(tooLarge());
    };
    const bytes = async function* (source: Readable) {
      try {
        yield* source as AsyncIterable<Uint8Array>; // a stream of bytes
        await whole.promise;
        await whenWhole();
      } catch (error) {
        throw error instanceof ServiceError ? error : cutShort();
      } finally {
        stop();
      }
    };

    parser.on('file', (_field, source, name: string | undefined) => {
      part = source;
      // Told by whoever reads it; a part that nobody reads has nobody to tell.
      source.on('error', () => {});
      // A field of text that happens to have the right name, as clients send that take a file for its description.
      if (name === undefined) return fail(invalid('file', 'is a part without a filename, which is no file'));
      resolve({ file: new FileBody(name, bytes(source)), stop });
    });
    parser.on('filesLimit', () => fail(invalid('file', 'is one file a call')));
    parser.on('partsLimit', () => fail(invalid('body', `has more than ${partLimits.parts} parts`)));
    parser.on('error', () => fail(cutShort()));
    parser.on('finish', () => {
      whole.resolve();
      reject(invalid('file', 'is missing'));
    });
    request.on('close', () => {
      if (!request.complete) fail(cutShort());
    });
    request.on('error', () => fail(cutShort()));
    request.on('data', count);
    request.pipe(parser);
  });
}

/** Undefined for a body whose type does not say how its parts are divided. */
function parserFor({ headers }: IncomingMessage) {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: partLimits,
      // By its name alone: how a client calls its type does not matter.
      isPartAFile: (field) => field === 'file',
    });
  } catch {
    return undefined;
  }
}
