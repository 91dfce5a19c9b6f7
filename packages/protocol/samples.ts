// Real requests, replies and events, recorded by `npm ci` and `npm run samples`, and shown in the published documents.
import type { ErrorCode, HttpErrorBody, SocketErrorBody } from './errors.ts';
import type { EventName } from './events.ts';
import type { OperationName } from './operations/index.ts';
import recorded from './samples.json' with { type: 'json' };

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

// A test validates each sample against its declaration.
export const samples = recorded as unknown as Samples;
