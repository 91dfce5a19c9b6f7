import type { TokenUsage } from '@parley/protocol';
import type { Clock } from '../../core/clock.ts';
import { boundedChunks, uncompressed } from '../../outbound/bounded-body.ts';
import { EndpointRefused } from '../../outbound/endpoint-guard.ts';
import type { PictureAnswer, UnreadableAnswer } from '../../rules/picture-answers.ts';
import { pictureLimits } from '../../rules/pictures.ts';
import { connectionError } from './event-stream.ts';
import { openaiBaseUrl, openaiHeaders } from './openai.ts';
import { ProviderError, type ProviderRequest } from './provider.ts';
import { countIn } from './reported-usage.ts';
import { errorOfResponse } from './vendor-errors.ts';
import { serverOf, type VendorOptions } from './vendor-server.ts';

type Options = VendorOptions & {
  clock: Clock;
  /** Reads an answer in a thread of its own (PICTURE-3). */
  readAnswer: (body: Uint8Array) => Promise<PictureAnswer | UnreadableAnswer | null>;
} & Required<Pick<VendorOptions, 'guarded'>>;

interface PictureRequest extends Pick<ProviderRequest, 'apiKey' | 'baseUrl' | 'model'> {
  prompt: string;
  size: string | undefined;
}

export interface DrawnPicture {
  bytes: Uint8Array;
  /** What the vendor made of the prompt. */
  revisedPrompt: string | undefined;
  /** Undefined if the vendor reports none, as for models that are paid by the picture. */
  usage: TokenUsage | undefined;
}

/**
 * Asks for one picture in OpenAI's form, `POST {base}/images/generations`, which local servers know too (PICTURE-2).
 * It is asked for once, whatever happens: a repeat would cost as much again. Rejects with a ProviderError, or with the
 * signal's reason.
 */
export async function requestPicture(
  options: Options,
  { apiKey, baseUrl, model, prompt, size }: PictureRequest,
  signal: AbortSignal,
): Promise<DrawnPicture> {
  const server = serverOf({ ...(baseUrl !== undefined && { baseUrl }) }, options, openaiBaseUrl);
  // The error of fetch would quote a header value that it cannot send, and so the key.
  if (!/^[\x21-\x7e]*$/.test(apiKey) || (apiKey === '' && !server.isOwn))
    throw new ProviderError('refused_key', 'The key is empty or has characters that no key has.');
  try {
    const response = await server.fetch(`${server.base}/images/generations`, {
      method: 'POST',
      headers: {
        ...openaiHeaders(apiKey),
        'content-type': 'application/json',
        accept: 'application/json',
        ...uncompressed,
      },
      body: JSON.stringify({ model, prompt, n: 1, ...(size !== undefined && { size }) }),
      redirect: 'manual',
      signal,
    });
    if (!response.ok) throw await errorOfResponse(response, apiKey, options.clock);
    return await pictureOf(await bytesOf(response, signal), options, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ProviderError ? error : connectionError(error);
  }
}

async function pictureOf(body: Buffer, options: Options, signal: AbortSignal): Promise<DrawnPicture> {
  const answer = await options.readAnswer(body);
  signal.throwIfAborted();
  if (answer === 'broken') throw unreadable('The provider’s picture is not complete.');
  if (answer === 'none' || answer === null) throw unreadable('The provider’s answer holds no picture.');
  const input = countIn(answer.usage?.input_tokens);
  const output = countIn(answer.usage?.output_tokens);
  return {
    bytes: answer.bytes ?? (await fetchPicture(answer.url ?? '', options.guarded, signal)),
    revisedPrompt: answer.revisedPrompt,
    usage: input === undefined || output === undefined ? undefined : { input_tokens: input, output_tokens: output },
  };
}

/** The address is the vendor's word: it is reached as those that people name. */
export async function fetchPicture(address: string, guarded: Options['guarded'], signal: AbortSignal): Promise<Buffer> {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) throw unreadable('The provider’s answer holds no picture.');
  try {
    const headers = { accept: 'image/*', ...uncompressed };
    const response = await guarded(url.href, { method: 'GET', headers, redirect: 'manual', signal });
    if (response.ok) return await bytesOf(response, signal);
    await response.body?.cancel();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProviderError) throw error;
    if (error instanceof EndpointRefused)
      throw unreadable('The address of the provider’s picture is not allowed here.');
  }
  throw unreadable('The provider’s picture could not be fetched.');
}

async function bytesOf({ body }: Response, signal: AbortSignal): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of boundedChunks(body, pictureLimits.answerBytes + 1, signal)) {
    bytes += chunk.length;
    chunks.push(chunk);
  }
  signal.throwIfAborted();
  if (bytes > pictureLimits.answerBytes)
    throw unreadable(`The provider’s answer is larger than ${pictureLimits.answerBytes / 1024 ** 2} MiB.`);
  return Buffer.concat(chunks);
}

const unreadable = (message: string): ProviderError => new ProviderError('protocol', message);
