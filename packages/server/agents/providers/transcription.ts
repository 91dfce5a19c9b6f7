import { randomUUID } from 'node:crypto';
import type { TokenUsage } from '@parley/protocol';
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { boundedText, uncompressed } from '../../outbound/bounded-body.ts';
import { connectionError } from './event-stream.ts';
import { openaiBaseUrl, openaiHeaders } from './openai.ts';
import { parsedJson } from './parsed-json.ts';
import { ProviderError, type ProviderRequest } from './provider.ts';
import { reportedCount } from './reported-usage.ts';
import { errorOfResponse } from './vendor-errors.ts';
import { serverOf, type VendorOptions } from './vendor-server.ts';

/** Maximum bytes of an answer: far more than somebody says in ten minutes. */
const MAX_ANSWER_BYTES = 1024 * 1024;

interface TranscriptionRequest extends Pick<ProviderRequest, 'apiKey' | 'baseUrl' | 'model'> {
  /** The vendor detects the type of the sound by the end of its name. */
  sound: { name: string; mimeType: string; size: number; bytes: AsyncIterable<Uint8Array> };
}

export interface Transcription {
  text: string;
  /** Undefined if the vendor reports none, as for models that are paid by the minute. */
  usage: TokenUsage | undefined;
  /** The length of the sound, if the vendor reports it. */
  seconds: number | undefined;
}

const answered = z.object({
  text: z.string(),
  usage: z
    .object({
      input_tokens: reportedCount,
      output_tokens: reportedCount,
      seconds: z.number().min(0).max(86_400).optional().catch(undefined),
    })
    .nullish()
    .catch(undefined),
});

/**
 * Asks for a transcript in OpenAI's form, `POST {base}/audio/transcriptions`, which local servers know too
 * (TRANSCRIPT-6). Rejects with a ProviderError, or with the signal's reason.
 */
export async function requestTranscript(
  options: VendorOptions & { clock: Clock },
  request: TranscriptionRequest,
  signal: AbortSignal,
): Promise<Transcription> {
  const { apiKey, model, sound } = request;
  const server = serverOf(request, options, openaiBaseUrl);
  // The error of fetch would quote a header value that it cannot send, and so the key.
  if (!/^[\x21-\x7e]*$/.test(apiKey) || (apiKey === '' && !server.isOwn))
    throw new ProviderError('refused_key', 'The key is empty or has characters that no key has.');
  const boundary = `parley-${randomUUID()}`;
  try {
    const body = await formOf(boundary, { model, response_format: 'json' }, sound);
    signal.throwIfAborted();
    const response = await server.fetch(`${server.base}/audio/transcriptions`, {
      method: 'POST',
      headers: {
        ...openaiHeaders(apiKey),
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': String(body.length),
        accept: 'application/json',
        ...uncompressed,
      },
      body,
      redirect: 'manual',
      signal,
    });
    if (!response.ok) throw await errorOfResponse(response, apiKey, options.clock);
    return transcriptionOf(parsedJson(await boundedText(response.body, MAX_ANSWER_BYTES)));
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ProviderError ? error : connectionError(error);
  }
}

function transcriptionOf(answer: unknown): Transcription {
  const { data } = answered.safeParse(answer);
  if (!data) throw new ProviderError('protocol', 'The provider’s transcript cannot be read.');
  const { input_tokens, output_tokens, seconds } = data.usage ?? {};
  const isReported = typeof input_tokens === 'number' && typeof output_tokens === 'number';
  return { text: data.text, usage: isReported ? { input_tokens, output_tokens } : undefined, seconds };
}

/** The form as bytes, of which there is one copy: sounds are large. */
async function formOf(
  boundary: string,
  fields: Readonly<Record<string, string>>,
  { name, mimeType, size, bytes }: TranscriptionRequest['sound'],
): Promise<Uint8Array<ArrayBuffer>> {
  const head = Object.entries(fields)
    .map(([field, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`)
    .join('');
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: ${mimeType}\r\n\r\n`;
  const before = Buffer.from(head + file);
  const after = Buffer.from(`\r\n--${boundary}--\r\n`);
  const form = new Uint8Array(before.length + size + after.length);
  form.set(before);
  let at = before.length;
  for await (const piece of bytes) {
    if (at + piece.length > before.length + size) throw new Error('a stored file is longer than its row says');
    form.set(piece, at);
    at += piece.length;
  }
  if (at < before.length + size) throw new Error('a stored file is shorter than its row says');
  form.set(after, at);
  return form;
}
