import {
  type ErrorCode,
  errorStatus,
  type EventName,
  eventNames,
  events,
  type HttpErrorBody,
  type Operation,
  type OperationName,
  operationNames,
  operations,
  type Params,
  type Result,
} from '@parley/protocol';
import type { OperationSample, Samples } from '@parley/protocol/samples';
import { httpError, toServiceError } from '@parley/server/core/json-reply.ts';
import type { ManualClock, World } from '@parley/testing';
import { type Refusal, refusalsOf } from './refusals.ts';

/** Time between two calls, so that their records have different times. */
const STEP_MS = 1_000;
/** Errors that every operation may answer in addition to the declared ones. */
const everywhere: readonly ErrorCode[] = [
  'invalid_argument',
  'unauthenticated',
  'rate_limited',
  'unavailable',
  'internal',
];

type Json = Record<string, unknown>;

/** Calls operations and keeps the first call of each as sent over the wire. */
export class Recorder {
  /** The token of an account without conversations. */
  stranger = '';
  /** What the browser sends of a sign-in that it has begun at an issuer. */
  cookie = '';
  readonly #world: World;
  readonly #clock: ManualClock;
  readonly #operations = new Map<OperationName, OperationSample>();
  readonly #own = new Map<OperationName, Partial<Record<ErrorCode, HttpErrorBody>>>();
  readonly #events = new Map<EventName, Json>();
  readonly #errors: Partial<Record<ErrorCode, HttpErrorBody>> = {};
  readonly #replies: Json[] = [];
  #asked: { request: Json; reply: Json } = { request: {}, reply: {} };

  constructor(world: World, clock: ManualClock) {
    this.#world = world;
    this.#clock = clock;
    // All socket frames are objects.
    world.watcher = { begin: () => 0, read: (_receiver, text) => this.#receive(JSON.parse(text) as Json) };
    // This error cannot be caused from outside: the text is that of every unexpected error (ERR-8).
    const { code, message } = toServiceError(new Error('unforeseen'));
    this.#errors[code] = JSON.parse(httpError(code, message)) as HttpErrorBody;
  }

  /** Calls an operation; before its first call, plays the calls that must be refused. */
  async call<Name extends OperationName>(token: string, name: Name, params: Params<Name>): Promise<Result<Name>> {
    const request: Json = params;
    if (!this.#operations.has(name))
      for (const refusal of refusalsOf(operations[name], request, { token, stranger: this.stranger }))
        await this.refuse(name, refusal);
    const { status, body } = await this.#post(name, token, JSON.stringify(params));
    await this.#clock.advance(STEP_MS);
    if (status !== 200) throw new Error(`${name} was refused: ${JSON.stringify(body)}`);
    const reply = body as unknown as OperationSample['reply']; // status 200: a success
    if (!this.#operations.has(name)) this.#operations.set(name, { request, reply });
    return reply.result as Result<Name>; // the declared type
  }

  /** Calls an operation whose body is a file; the sample shows its name instead of the bytes. */
  async upload(token: string, name: 'uploadFile', file: File): Promise<Result<'uploadFile'>> {
    await this.refuse(name, { token: '', request: {} });
    await this.refuse(name, { token, request: {} });
    const form = new FormData();
    form.set('file', file);
    const { status, body } = await this.#send(name, token, form);
    await this.#clock.advance(STEP_MS);
    if (status !== 200) throw new Error(`${name} was refused: ${JSON.stringify(body)}`);
    const reply = body as unknown as OperationSample['reply']; // status 200: a success
    this.#operations.set(name, { request: { file: `the bytes of ${file.name}` }, reply });
    return reply.result as Result<'uploadFile'>; // the declared type
  }

  /** Records the error of a call that is expected to be refused; a success is ignored. */
  async refuse(name: OperationName, { token, request, type }: Refusal): Promise<void> {
    const text = typeof request === 'string' ? request : JSON.stringify(request);
    const { status, body } = await this.#post(name, token, text, type);
    if (status === 200) return;
    const error = body as unknown as HttpErrorBody; // any status but 200: an error
    this.#errors[error.error_code] ??= error;
    const { errors }: Operation = operations[name];
    const isOfTransport = status === 415 || status === 413;
    if (!isOfTransport && ![...everywhere, ...errors].includes(error.error_code))
      throw new Error(`${name} does not declare ${JSON.stringify(error)}, the answer to ${text}`);
    const own = this.#own.get(name) ?? {};
    own[error.error_code] ??= error;
    this.#own.set(name, own);
  }

  /** Records the error with which a GET of this path is answered. */
  async visit(path: string): Promise<void> {
    const response = await fetch(this.#world.url + path);
    const error = (await response.json()) as HttpErrorBody; // the caller knows that it is an error
    if (errorStatus[error.error_code] === response.status) this.#errors[error.error_code] ??= error;
  }

  /** Sets the request that is shown as the envelope of socket requests; its reply is the last one. */
  asked(request: Json): void {
    this.#asked = { request, reply: this.#replies.at(-1) ?? {} };
  }

  samples(): Samples {
    // In the order of the declarations, because the ids in the samples are later numbered in this order.
    const recorded = operationNames.flatMap((name): [string, OperationSample][] => {
      const sample = this.#operations.get(name);
      const errors = this.#own.get(name);
      return sample ? [[name, { ...sample, ...(errors && { errors }) }]] : [];
    });
    const recordedEvents = eventNames.flatMap((name): [string, Json][] => {
      const frame = this.#events.get(name);
      return frame ? [[name, frame]] : [];
    });
    const codes = Object.keys(errorStatus) as ErrorCode[]; // keys of a constant
    const errors = codes.flatMap((code) => (this.#errors[code] ? [[code, this.#errors[code]]] : []));
    return {
      operations: Object.fromEntries(recorded),
      events: Object.fromEntries(recordedEvents),
      errors: Object.fromEntries(errors) as Samples['errors'], // entries of that type
      socket: {
        ...this.#asked,
        // A reply of the service; a test validates it against the declaration.
        error: this.#replies.find(({ ok }) => ok === false) as unknown as Samples['socket']['error'],
      },
    };
  }

  #receive(message: Json): void {
    const name = /^events\.(\w+)$/.exec(String(message['method']))?.[1];
    if (name !== undefined && Object.hasOwn(events, name) && !this.#events.has(name as EventName))
      this.#events.set(name as EventName, message); // an own key
    if (typeof message['id'] === 'number') this.#replies.push(message);
  }

  async #post(name: OperationName, token: string, body: string, type = 'application/json') {
    return this.#send(name, token, body, { 'content-type': type });
  }

  async #send(name: OperationName, token: string, body: string | FormData, type: Record<string, string> = {}) {
    const response = await fetch(`${this.#world.url}/api/${name}`, {
      method: 'POST',
      headers: {
        ...type,
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(this.cookie !== '' && { cookie: this.cookie }),
      },
      body,
    });
    return { status: response.status, body: (await response.json()) as Json }; // always an object
  }
}
