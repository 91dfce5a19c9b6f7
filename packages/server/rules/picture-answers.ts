import { hasTooManyValues } from './json-counter.ts';

/** What stands in a vendor's answer to a request for a picture (PICTURE-2). */
export interface PictureAnswer {
  /** Exactly one of the two. */
  bytes?: Uint8Array;
  url?: string;
  /** What the vendor made of the prompt. */
  revisedPrompt?: string;
  /** As it is reported: not checked yet. */
  usage?: { input_tokens: unknown; output_tokens: unknown };
}

/** `none`: it holds no picture; `broken`: it holds a part of one. */
export type UnreadableAnswer = 'none' | 'broken';

/** Reads the first picture of an answer of up to 20 MiB, which takes too long for a thread that others wait for. */
export function readPictureAnswer(body: Uint8Array): PictureAnswer | UnreadableAnswer {
  const answer = hasTooManyValues(body) ? undefined : parsed(Buffer.from(body.buffer, body.byteOffset, body.length));
  const { data, usage } = fieldsOf(answer);
  const { b64_json: base64, url, revised_prompt: revised } = fieldsOf(Array.isArray(data) ? data[0] : undefined);
  const { input_tokens, output_tokens } = fieldsOf(usage);
  const about = {
    ...(typeof revised === 'string' && { revisedPrompt: revised }),
    usage: { input_tokens, output_tokens },
  };
  if (typeof base64 === 'string' && base64 !== '') {
    const bytes = decodedPicture(base64);
    return bytes ? { bytes, ...about } : 'broken';
  }
  return typeof url === 'string' && url !== '' ? { url, ...about } : 'none';
}

/** The bytes of base64; undefined if it is cut off or none. Node stops at what is no base64, so a text that is longer than its bytes was broken. */
export function decodedPicture(base64: string): Uint8Array | undefined {
  const bytes = Buffer.from(base64, 'base64');
  const padding = base64.endsWith('==') ? 2 : Number(base64.endsWith('='));
  const digits = base64.length - padding;
  const isWhole = bytes.length > 0 && Math.floor((digits * 3) / 4) === bytes.length && digits % 4 !== 1;
  return isWhole ? bytes : undefined;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
