// Real requests, replies and events, recorded by `npm ci` and `npm run samples`, and shown in the published documents.
import type { ErrorCode, HttpErrorBody, SocketErrorBody } from './errors.ts';
import type { EventName } from './events.ts';
import type { OperationName } from './operations/index.ts';

export interface OperationSample {
  request: Readonly<Record<string, unknown>>;
  reply: { ok: true; result?: unknown };
  /** The errors of this operation that the recorded session produced. */
  errors?: Readonly<Partial<Record<ErrorCode, HttpErrorBody>>>;
}

export interface Samples {
  operations: Readonly<Partial<Record<OperationName, OperationSample>>>;
  /** Whole frames, including `method` and `seq`. */
  events: Readonly<Partial<Record<EventName, Readonly<Record<string, unknown>>>>>;
  /** One error of each code. */
  errors: Readonly<Partial<Record<ErrorCode, HttpErrorBody>>>;
  /** The envelope of a socket's requests. */
  socket: {
    request: Readonly<Record<string, unknown>>;
    reply: Readonly<Record<string, unknown>>;
    error: SocketErrorBody & { id?: string | number };
  };
}

const none: Samples = {
  operations: {},
  events: {},
  errors: {},
  socket: { request: {}, reply: {}, error: { ok: false, error: { code: 'internal', message: '' } } },
};

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';

// Not a static import: without the file, as after `npm ci --ignore-scripts`, the documents have no samples.
const file: string = './samples.json';
const recorded: { default: unknown } = await import(file, { with: { type: 'json' } }).catch((error: unknown) => {
  if (isMissing(error)) return { default: none };
  throw error;
});

// A test validates each sample against its declaration.
export const samples = recorded.default as Samples;
