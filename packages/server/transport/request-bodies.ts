import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { limits } from '@parley/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ArrivalLimits } from '../calls/arrival-limits.ts';
import { invalid, ServiceError } from '../core/errors.ts';
import { parseJson } from '../core/parse-json.ts';
import { nextSlice, type Share, type Shares } from '../core/slices.ts';
import type { ByteBudget } from '../core/byte-budget.ts';
import { readBody } from './bodies.ts';
import { notJson } from './errors.ts';

interface BodyParts {
  /** The owner to whom a request counts. */
  ownerOf: (request: FastifyRequest) => string;
  budget: ByteBudget;
  shares: Shares;
  /** Null where rate limits are off. */
  arrivals: ArrivalLimits | null;
}

/** Reads the bodies of requests, within the shares of their owners. */
export class RequestBodies {
  readonly ownerOf: BodyParts['ownerOf'];
  readonly #parts: BodyParts;

  constructor(parts: BodyParts) {
    this.#parts = parts;
    this.ownerOf = parts.ownerOf;
  }

  shareOf(request: FastifyRequest): Share {
    return this.#parts.shares.of(this.ownerOf(request));
  }

  /** Counts a call that is refused before it reaches its operation, or throws rate_limited (LIMIT-28). */
  countRefusal(request: FastifyRequest): void {
    this.#parts.arrivals?.countRefusal(this.ownerOf(request));
  }

  read(request: FastifyRequest, payload: Readable): Promise<Buffer> {
    const { 'content-length': length } = request.headers;
    return readBody(payload, {
      maxBytes: request.caller ? limits.bodyBytes : limits.openBodyBytes,
      declaredBytes: length === undefined ? undefined : Number(length),
      budget: this.#parts.budget,
      owner: this.ownerOf(request),
    });
  }

  async parse(request: FastifyRequest, body: Buffer): Promise<unknown> {
    const share = this.shareOf(request);
    if (share.mustWait) await nextSlice();
    const begunAt = performance.now();
    try {
      return parseBody(body, (parts) => this.#parts.arrivals?.admitJson(this.ownerOf(request), parts));
    } finally {
      share.charge(performance.now() - begunAt);
    }
  }

  /** Counts a body that is refused for its shape. */
  async counted<Value>(request: FastifyRequest, reading: Promise<Value>): Promise<Value> {
    try {
      return await reading;
    } catch (error) {
      if (error instanceof ServiceError && isForShape(error)) this.countRefusal(request);
      throw error;
    }
  }

  /** Lets all routes take JSON, and no other body. */
  serve(app: FastifyInstance): void {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(/^application\/json\s*(;|$)/i, (request: FastifyRequest, payload: Readable) =>
      this.counted(
        request,
        this.read(request, payload).then((body) => this.parse(request, body)),
      ),
    );
    // An empty body counts as no body, whatever its content type.
    app.addContentTypeParser('*', (request: FastifyRequest, payload: Readable) =>
      this.counted(
        request,
        this.read(request, payload).then((body) => {
          if (body.length > 0) throw notJson();
        }),
      ),
    );
  }
}

/** Whether a body was refused for what it is, and not because the service has no room for it. */
const isForShape = ({ code }: ServiceError): boolean => code !== 'unavailable' && code !== 'rate_limited';

/** Undefined for an empty body. */
function parseBody(body: Buffer, admit: (parts: number) => void): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw invalid('body', 'is not UTF-8');
  try {
    return parseJson(body, admit);
  } catch (error) {
    throw error instanceof ServiceError ? error : invalid('body', 'is not JSON');
  }
}
