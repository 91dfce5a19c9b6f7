import type { Extra } from './openai-body.ts';
import { ProviderError } from './provider.ts';
import type { RequestPart } from './refused-parts.ts';

/**
 * The server refused the whole request, e.g. because it does not know a field, or because its chat template knows no role
 * `system` or does not accept two messages of a user in a row (llama.cpp answers 500 then). The first event of a stream
 * refuses too (PROVIDER-24); later ones have no status.
 */
export const isRefused = (error: unknown): error is ProviderError =>
  error instanceof ProviderError &&
  ((error.kind === 'bad_request' && (error.status === 400 || error.status === 422)) ||
    (error.status === 500 && /template|jinja|alternate|\broles?\b/i.test(error.message)));

/** Words of a chat template, which refuses the same request each time. */
const ofTemplate = /template|jinja|alternat/i;
/** Roles of clouds, which are none of messages: `Unable to assume role arn:…`. */
const ofCloud = /\bassume\w*\b|\barn:|\biam\b/i;
const namesRoles = (words: string): boolean =>
  (/\broles?\b/i.test(words) && !ofCloud.test(words)) || ofTemplate.test(words);

/** Words that say that a field is not known, in contrast to one whose value is too large. */
const unknownField =
  /unsupported|not (?:\w+ )?(?:supported|permitted|allowed|recognized|accepted)|unrecognized|unknown|unexpected|extra(?:_forbidden| (?:inputs?|fields?))|additional propert|no longer|deprecated|invalid (?:argument|field|parameter|request argument)|use '?"?max_/i;

const isUnknown = ({ message, refusal: { reason } }: ProviderError): boolean =>
  reason === undefined ? unknownField.test(message) : reason === 'unsupported';

/** The extra that a refused part of the request belongs to; null: to none. About contents, the words say more. */
const extraOfPart: Readonly<Record<RequestPart, Extra | null | undefined>> = {
  stream_options: 'stream_options',
  'token limit': 'token limit',
  name: 'entries',
  role: 'system role',
  content: undefined,
  temperature: null,
  thinking: null,
  thoughts: 'thoughts',
  tools: null,
  description: 'long descriptions',
};

/** Words in which servers name what they refuse, in the order in which they are looked for. */
const refusalNames: readonly (readonly [Extra, (words: string) => boolean])[] = [
  ['thoughts', (words) => /\breasoning_(?:content|details)\b|\bmessages\b.*\breasoning\b/i.test(words)],
  ['null content', (words) => /\bcontent\b/i.test(words) && /\bnull\b|\bnone\b|string|required|missing/i.test(words)],
  ['long descriptions', (words) => /\bdescription\b/i.test(words) && /\blong|length|at most|exceed|max/i.test(words)],
  ['stream_options', (words) => /stream_options|include_usage/i.test(words)],
  ['token limit', (words) => /max_(?:completion_)?tokens/i.test(words) && unknownField.test(words)],
  ['system role', (words) => /\bsystem\b/i.test(words) && /role|message|prompt|instruction|support/i.test(words)],
  ['entries', (words) => /\bname\b/i.test(words) || namesRoles(words)],
  // Templates without the role say that roles must alternate, too.
  ['system role', namesRoles],
];
/** The request is refused for another reason, which stays. */
const another = /context (?:length|window|size)|temperature|max_(?:completion_)?tokens/i;

const ofSteps: readonly Extra[] = ['thoughts', 'null content', 'long descriptions'];

/** The refusal names something of the steps or tools that can be put in another way, and has not been. */
export function refusesSteps(error: ProviderError, without: ReadonlySet<Extra>, extras: readonly Extra[]): boolean {
  const left = ofSteps.filter((extra) => extras.includes(extra) && !without.has(extra));
  return left.length > 0 && nextWithout(error, left).extras.some((extra) => ofSteps.includes(extra));
}

/** What is left out after refusals that name no reason: first what costs least. */
const unnamed: readonly (readonly Extra[])[] = [['stream_options', 'entries'], ['system role']];

/**
 * The extras to leave out next, after a refusal: the one that it names, or, where it names nothing, first
 * `stream_options` and the entries, then the system role. None: give up. `isLasting`: the server will refuse them again;
 * a refusal without a name, and most of those with 500, may have had another reason.
 */
export function nextWithout(
  error: ProviderError,
  left: readonly Extra[],
): { extras: readonly Extra[]; isLasting: boolean } {
  const { message, status, refusal } = error;
  const ofPart = refusal.part && extraOfPart[refusal.part];
  if (ofPart === null || (ofPart === 'token limit' && !isUnknown(error))) return { extras: [], isLasting: false };
  const named =
    ofPart && left.includes(ofPart)
      ? ofPart
      : refusalNames.find(([extra, isNamed]) => left.includes(extra) && isNamed(message))?.[0];
  if (named) return { extras: [named], isLasting: status !== 500 || ofTemplate.test(message) };
  const among = another.test(message) ? [] : unnamed.map((extras) => extras.filter((extra) => left.includes(extra)));
  return { extras: among.find(({ length }) => length > 0) ?? [], isLasting: false };
}
