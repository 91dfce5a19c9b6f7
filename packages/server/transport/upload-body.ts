import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { FileBody } from '@parley/protocol';
import { invalid, ServiceError } from '../core/errors.ts';

/** Maximum size of everything in a body besides the file: boundaries and unknown fields. */
const OVERHEAD_BYTES = 65_536;
const partLimits = { files: 1, fields: 16, parts: 32, fieldSize: 1_024, headerPairs: 32, headerSize: 8_192 } as const;

const cutShort = () => invalid('body', 'ended early or is not multipart/form-data');

/** The file in a request, and `stop`, after which the rest of the body is read and discarded. */
interface UploadBody {
  file: FileBody;
  stop: () => void;
}

/**
 * Reads a `multipart/form-data` body up to the start of its file (FILE-1). The file's bytes are read at the consumer's
 * pace, and end successfully only when the whole body has arrived, was well-formed, and `whenWhole` resolves.
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
    // Avoids an unhandled rejection if the file is never consumed.
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
      // The consumer reports errors; without one they must not crash the process.
      source.on('error', () => {});
      // A text field named "file" is a frequent client mistake.
      if (name === undefined) return fail(invalid('file', 'is a text field; send it with a filename'));
      resolve({ file: new FileBody(name, bytes(source)), stop });
    });
    parser.on('filesLimit', () => fail(invalid('file', 'may occur only once: send one file per call')));
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

/** Returns undefined if the content type has no boundary. */
function parserFor({ headers }: IncomingMessage) {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: partLimits,
      // Decided by the field name alone, whatever content type the client gives it.
      isPartAFile: (field) => field === 'file',
    });
  } catch {
    return undefined;
  }
}
