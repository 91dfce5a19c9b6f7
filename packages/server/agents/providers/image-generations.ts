import type { TokenUsage } from '@parley/protocol';
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { boundedChunks, uncompressed } from '../../outbound/bounded-body.ts';
import { EndpointRefused } from '../../outbound/endpoint-guard.ts';
import { pictureLimits } from '../../rules/pictures.ts';
import { connectionError } from './event-stream.ts';
import { openaiBaseUrl, openaiHeaders } from './openai.ts';
import { parsedJson } from './parsed-json.ts';
import { ProviderError, type ProviderRequest } from './provider.ts';
import { reportedCount } from './reported-usage.ts';
import { errorOfResponse } from './vendor-errors.ts';
import { serverOf, type VendorOptions } from './vendor-server.ts';

type Options = VendorOptions & { clock: Clock } & Required<Pick<VendorOptions, 'guarded'>>;

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

const answered = z.object({
  data: z
    .array(
      z.object({
        b64_json: z.string().nullish(),
        url: z.string().nullish(),
        revised_prompt: z.string().nullish().catch(undefined),
      }),
    )
    .min(1),
  usage: z.object({ input_tokens: reportedCount, output_tokens: reportedCount }).nullish().catch(undefined),
});

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
  const { data: answer } = answered.safeParse(parsedJson(body.toString('utf8')));
  const [picture] = answer?.data ?? [];
  if (!answer || !picture) throw unreadable('The provider’s answer holds no picture.');
  const { input_tokens, output_tokens } = answer.usage ?? {};
  const isReported = typeof input_tokens === 'number' && typeof output_tokens === 'number';
  const bytes = picture.b64_json
    ? decoded(picture.b64_json)
    : await fetched(picture.url ?? '', options.guarded, signal);
  return {
    bytes,
    revisedPrompt: picture.revised_prompt ?? undefined,
    usage: isReported ? { input_tokens, output_tokens } : undefined,
  };
}

/** Node stops at what is no base64, so a text that is longer than its bytes was broken. */
function decoded(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  const padding = base64.endsWith('==') ? 2 : Number(base64.endsWith('='));
  const digits = base64.length - padding;
  if (bytes.length === 0 || Math.floor((digits * 3) / 4) !== bytes.length || digits % 4 === 1)
    throw unreadable('The provider’s picture is not complete.');
  return bytes;
}

/** The address is the vendor's word: it is reached as those that people name. */
async function fetched(address: string, guarded: Options['guarded'], signal: AbortSignal): Promise<Buffer> {
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
