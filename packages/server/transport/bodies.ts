import type { Readable } from 'node:stream';
import { invalid, ServiceError, unavailable } from '../core/errors.ts';
import { type ByteBudget, Held } from '../core/byte-budget.ts';

interface Limits {
  maxBytes: number;
  /** The request's `content-length`; undefined for a chunked body. */
  declaredBytes: number | undefined;
  budget: ByteBudget;
  /** The owner whose share of the budget the body uses. */
  owner: string;
}

const tooLarge = (maxBytes: number) =>
  new ServiceError('too_large', `the body is larger than ${maxBytes} bytes`, { field: 'body' });

const tooMuch = () => unavailable('too many unfinished requests at once; try again');

/**
 * Reads a whole body into memory, at most `maxBytes` of it. Only a body that is still incomplete counts against the
 * budget: one that arrives complete with its head is served even when others have filled the budget (LIMIT-20).
 */
export function readBody(source: Readable, { maxBytes, declaredBytes, budget, owner }: Limits): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const held = new Held(budget, owner, () => fail(tooMuch()));
  const stop = (): void => {
    source.off('data', take).off('end', end).off('error', broken).off('close', broken);
    held.set(0);
  };
  const fail = (error: ServiceError): void => {
    stop();
    reject(error);
  };
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > maxBytes) return fail(tooLarge(maxBytes));
    if (size !== declaredBytes && !held.set(size)) return fail(tooMuch());
    chunks.push(chunk);
  };
  const end = (): void => {
    stop();
    resolve(Buffer.concat(chunks, size));
  };
  const broken = (): void => fail(invalid('body', 'ended early'));
  if (declaredBytes !== undefined && declaredBytes > maxBytes) reject(tooLarge(maxBytes));
  else source.on('data', take).on('end', end).on('error', broken).on('close', broken).resume();
  return promise;
}
