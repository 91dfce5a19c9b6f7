import type { Clock } from '../../core/clock.ts';
import { boundedChunks } from '../../outbound/bounded-body.ts';
import { parsedJson } from './parsed-json.ts';
import { readError } from './error-bodies.ts';
import { ProviderError, type ProviderErrorKind } from './provider.ts';
import { refusalOf } from './refused-parts.ts';

const bodyLimitBytes = 64 * 1024;
const bodyLimitMs = 5000;
const quoteLimit = 200;
/** Maximum length of the text that the patterns below search: they take quadratic time over a long word. */
const quoteSourceLimit = 1000;

type VendorKind = Exclude<ProviderErrorKind, 'timeout' | 'interrupted' | 'protocol'>;

const sentences: Record<VendorKind, string> = {
  refused_key: 'The provider refused the API key of this agent',
  no_credit: 'The account behind this API key has no credit left',
  rate_limited: 'The provider’s limit for this API key is reached',
  overloaded: 'The provider is overloaded or out of order',
  too_long: 'The conversation is too long for this model',
  filtered: 'The provider’s content filter refused the request',
  bad_request: 'The provider rejected the request',
};

/** Errors whose name says more than their status; names as `plainName` makes them. */
const kindOfName: Readonly<Record<string, VendorKind>> = {
  insufficientquota: 'no_credit',
  billing: 'no_credit',
  exceededcurrentquota: 'no_credit',
  contextlengthexceeded: 'too_long',
  exceedcontextsize: 'too_long',
  requesttoolarge: 'too_long',
  contentfilter: 'filtered',
  contentpolicyviolation: 'filtered',
};
/** The status that corresponds to an error's name, for errors in the middle of a stream. */
const statusOfName: Readonly<Record<string, number>> = {
  invalidrequest: 400,
  invalidargument: 400,
  invalidparameter: 400,
  badrequest: 400,
  authentication: 401,
  unauthenticated: 401,
  unauthorized: 401,
  invalidapikey: 401,
  billing: 402,
  permission: 403,
  permissiondenied: 403,
  forbidden: 403,
  notfound: 404,
  requesttoolarge: 413,
  unprocessableentity: 422,
  ratelimit: 429,
  ratelimitexceeded: 429,
  insufficientquota: 429,
  resourceexhausted: 429,
  toomanyrequests: 429,
  api: 500,
  server: 500,
  internal: 500,
  internalserver: 500,
  unavailable: 503,
  serviceunavailable: 503,
  timeout: 504,
  deadlineexceeded: 504,
  overloaded: 529,
};
/** `RateLimitError`, `rate_limit_error` and `RATE_LIMIT` are one name. */
const plainName = (name: string): string =>
  name
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/(?:error|exception)$/, '');

/** Words of refusals that have no name of their own. */
const noCredit = /credit balance is too low|insufficient (?:balance|credits?|funds)/i;
const tooLong = /context (?:length|window|size)|prompt is too long|too many tokens/i;

/**
 * The error of a response that is not 2xx: its status decides the kind, its body (bounded in size and time) explains.
 */
export async function errorOfResponse(response: Response, apiKey: string, clock: Clock): Promise<ProviderError> {
  const { status } = response;
  const body = await readBounded(response.body, clock);
  // Redirects are not followed: they would send the key to an address that is not configured.
  if (status < 400) {
    return new ProviderError('bad_request', `The provider’s address answers with a redirect (${status}).`, { status });
  }
  return errorOfStatus(status, errorInBody(body), apiKey, {
    status,
    retryAfterMs: parseRetryAfter(response.headers.get('retry-after'), clock.now()),
  });
}

/** JSON, JSON in an event, or plain text. An HTML page, as proxies send it, has no error text to quote. */
function errorInBody(body: string): unknown {
  const text = body.trim();
  const json = parsedJson(text) ?? parsedJson(/^(?:event:.*\n)?data:(.*)/.exec(text)?.[1] ?? null);
  return json ?? (/^[<{[]/.test(text) || text.includes('\ufffd') ? undefined : text);
}

/**
 * The ProviderError for an error in the middle of a stream. As the first thing in a stream it refuses the whole request,
 * so it has the status that its code or name stands for (PROVIDER-24).
 */
export function errorInStream(data: unknown, apiKey: string, isFirst = false): ProviderError {
  const { status: said, names } = readError(data);
  const named = names.map((name) => statusOfName[plainName(name)]).find((status) => status !== undefined);
  const status = said ?? named ?? 500;
  return errorOfStatus(status, data, apiKey, isFirst ? { status } : {});
}

function errorOfStatus(
  status: number,
  data: unknown,
  apiKey: string,
  details: { status?: number; retryAfterMs?: number | undefined },
): ProviderError {
  const { message, names, field } = readError(data);
  const words = message.slice(0, quoteSourceLimit);
  const named = names.map((name) => kindOfName[plainName(name)]).find((kind) => kind !== undefined);
  const kind = named ?? kindOfRefusal(status, words);
  // The vendor's text about a refused key quotes parts of the key and adds nothing to our sentence.
  const quote = status === 401 ? '' : cleanQuote(message, apiKey);
  return new ProviderError(kind, `${sentences[kind]} (${status}).`, {
    ...details,
    ...(quote !== '' && { quote }),
    refusal: refusalOf(field, names),
  });
}

function kindOfRefusal(status: number, words: string): VendorKind {
  if (status === 401 || status === 403) return 'refused_key';
  if (status === 402 || (status < 500 && noCredit.test(words))) return 'no_credit';
  if (status === 429) return 'rate_limited';
  if (status === 413 || tooLong.test(words)) return 'too_long';
  return status >= 500 ? 'overloaded' : 'bad_request';
}

/** A short one-line quote of the vendor's message, without the key or anything that looks like part of one. */
export function cleanQuote(text: string, apiKey: string): string {
  const key = apiKey.trim();
  const line = (key === '' ? text : text.replaceAll(key, '[key]'))
    .slice(0, quoteSourceLimit)
    .replace(/[\p{C}\s]+/gu, ' ')
    .replace(/(?<!\S)(?=\S*\*{3})\S+/g, '[key]')
    .replace(/\b(?:sk|pk|rk|key|gsk|xai)[-_][\w.-]{6,}/gi, '[key]')
    .replace(/[\w-]{8,}/g, (word) => (key.includes(word) ? '[key]' : word))
    .trim();
  return line.length <= quoteLimit ? line : `${line.slice(0, quoteLimit - 1).toWellFormed()}…`;
}

/** `retry-after` in seconds or as a date; undefined when it is absent or neither. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds * 1000));
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Reads a body up to the limits of size and time; if it breaks off, returns what has arrived. */
async function readBounded(body: Response['body'], clock: Clock): Promise<string> {
  const timeout = new AbortController();
  const timer = clock.setTimer(() => timeout.abort(), bodyLimitMs);
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of boundedChunks(body, bodyLimitBytes, timeout.signal))
      text += decoder.decode(chunk, { stream: true });
  } catch {
    // The body could not be read: the status alone must explain the error.
  } finally {
    timer.cancel();
  }
  return text;
}
