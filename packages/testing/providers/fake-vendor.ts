import type { IncomingHttpHeaders } from 'node:http';
import type { FakeBlock, FakeUsage, ReplyScript } from './fake-reply.ts';

export type Body = Readonly<Record<string, unknown>>;
export type Refusal = readonly [status: number, type: string, message: string];

/** The vendor-specific half of the fake: which requests it refuses, and the wire format of its replies. */
export interface FakeVendor {
  readonly provider: 'provider_a' | 'provider_b';
  readonly path: string;
  /** The answer to `GET /v1/models`. */
  readonly models: object;
  keyOf(headers: IncomingHttpHeaders): string | undefined;
  refusal(headers: IncomingHttpHeaders, body: Body): Refusal | undefined;
  unknownKey: Refusal;
  failure(status: number, type: string | undefined, message: string | undefined): string;
  wire(body: Body, script: ReplyScript): FakeWire;
  /** Transcripts of sounds, sent as a form; undefined if the vendor makes none. */
  readonly transcripts?: {
    readonly path: string;
    refusal(form: Body): Refusal | undefined;
    /** The texts of the script are the transcript. */
    answer(script: ReplyScript): object;
  };
  /** Pictures; undefined if the vendor draws none. */
  readonly pictures?: {
    readonly path: string;
    refusal(body: Body): Refusal | undefined;
    answer(script: ReplyScript): object;
  };
}

export interface FakeWire {
  opening(): string;
  text(text: string): string;
  /** Something beside text, in the vendor's form. */
  block(block: FakeBlock): string;
  error(type: string | undefined): string;
  ending(finish: string | undefined): string;
}

/** A key with which neither vendor lists its models. */
export const REFUSED_KEY = 'sk-refused-key';

export const usualUsage: FakeUsage = { input: 12, output: 7 };

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function unknownField(body: Body, known: readonly string[]): string | undefined {
  return Object.keys(body).find((name) => !known.includes(name));
}

export function messagesOf(body: Body): readonly Record<string, unknown>[] {
  if (!Array.isArray(body['messages'])) return [];
  return body['messages'].map((item: unknown) => (isRecord(item) ? item : {}));
}

export const isBetween = (value: unknown, low: number, high: number): boolean =>
  value === undefined || (typeof value === 'number' && value >= low && value <= high);

/** Both vendors answer invalid fields with a 400 of this type. */
export const invalid = (message: string): Refusal => [400, 'invalid_request_error', message];

/** Whether the text is base64 of at least one byte. */
export const isBase64 = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && Buffer.from(value, 'base64').toString('base64') === value;
