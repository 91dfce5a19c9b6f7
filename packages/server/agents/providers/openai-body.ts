import { Encoded } from './json-bytes.ts';
import { hasNoText, hasThoughts, stepMessages } from './openai-steps.ts';
import type { ProviderRequest, ToolDefinition } from './provider.ts';
import { sentTool } from './tool-schemas.ts';
import { contentOf, type TurnPart, type VendorTurn, vendorTurns } from './vendor-messages.ts';

/**
 * What the request contains that some servers refuse; each can be put in another way:
 * - `stream_options` asks for the usage (USAGE-3); it is left out,
 * - `entries` are the messages of a group one by one, with names (PROVIDER-17); a turn becomes one message,
 * - `token limit` has two names, of which servers know one or both (PROVIDER-25); it gets the other one,
 * - `system role`: the instructions come first in the first message of a user (PROVIDER-26),
 * - `thoughts` of the steps are left out (PROVIDER-33),
 * - `null content`: steps without a text get an empty one (PROVIDER-33),
 * - `long descriptions` of tools are cut (PROVIDER-32).
 */
export type Extra =
  | 'stream_options'
  | 'entries'
  | 'token limit'
  | 'system role'
  | 'thoughts'
  | 'null content'
  | 'long descriptions';

/** Maximum characters of a tool's description on servers that limit it. */
const MAX_DESCRIPTION = 1_024;

/** The extras that a request has. */
export function extrasOf({ messages, maxOutputTokens, system, tools = [], steps = [] }: ProviderRequest): Extra[] {
  return [
    'stream_options',
    ...(isOfSeveral(vendorTurns(messages)) ? (['entries'] as const) : []),
    ...(maxOutputTokens === undefined ? [] : (['token limit'] as const)),
    ...(system ? (['system role'] as const) : []),
    ...(steps.some(hasThoughts) ? (['thoughts'] as const) : []),
    ...(steps.some(hasNoText) ? (['null content'] as const) : []),
    ...(tools.some(isLong) ? (['long descriptions'] as const) : []),
  ];
}

const isLong = ({ description }: ToolDefinition): boolean => description.length > MAX_DESCRIPTION;

/** Messages of different users stand beside one another. */
const isOfSeveral = (turns: readonly VendorTurn[]): boolean =>
  turns.some(({ parts }) => parts.some(({ name }) => name !== undefined));

/** Models of OpenAI that refuse `max_tokens`, also behind a gateway, which puts its maker before the name. */
const newerModel = /(?:^|\/)(?:gpt-[5-9]|o\d)/;

/**
 * Whether the token limit is first sent as `max_completion_tokens`. OpenAI's newer models refuse the older name; most
 * other servers do not know the newer one, and some ignore it.
 */
const takesNewerName = (base: string, model: string): boolean =>
  /(?:^|\.)openai\.(?:com|azure\.com)$/.test(new URL(base).hostname) || newerModel.test(model);

/** The body of a request to a server without these extras. `from`: the server and model. */
export function openaiBody(
  request: ProviderRequest,
  without: ReadonlySet<Extra>,
  { base, from }: { base: string; from: string },
): object {
  const { model, maxOutputTokens, temperature, thinking, tools = [], webSearch, steps = [] } = request;
  const left = { thoughts: without.has('thoughts'), emptyText: without.has('null content') };
  const isNewer = takesNewerName(base, model) !== without.has('token limit');
  const limitName = isNewer ? 'max_completion_tokens' : 'max_tokens';
  return {
    model,
    stream: true,
    ...(!without.has('stream_options') && { stream_options: { include_usage: true } }),
    ...(maxOutputTokens !== undefined && { [limitName]: maxOutputTokens }),
    ...(temperature !== undefined && !thinking && { temperature }),
    ...(thinking && { reasoning_effort: thinking }),
    ...(tools.length > 0 && { tools: tools.map((tool) => toolOf(tool, without)) }),
    ...(webSearch && { web_search_options: {} }),
    messages: [...messagesOf(request, without), ...steps.flatMap((step) => stepMessages(step, from, left))],
  };
}

function toolOf(tool: ToolDefinition, without: ReadonlySet<Extra>): object {
  const description =
    isLong(tool) && without.has('long descriptions')
      ? `${tool.description.slice(0, MAX_DESCRIPTION - 1)}…`
      : tool.description;
  const { schema, ...named } = sentTool({ ...tool, description });
  return { type: 'function', function: { ...named, parameters: schema } };
}

function messagesOf({ messages, system }: ProviderRequest, without: ReadonlySet<Extra>): object[] {
  const turns = vendorTurns(messages);
  const instructions = system?.toWellFormed() ?? '';
  // Not `developer`: only OpenAI knows that role, and it accepts `system` too.
  const opening = instructions === '' ? [] : [{ role: 'system', content: instructions }];
  const isPlain = without.has('system role') || without.has('entries') || !isOfSeveral(turns);
  if (!isPlain) return [...opening, ...turns.flatMap(entriesOf)];
  const [first] = turns;
  if (!without.has('system role') || instructions === '' || !first) return [...opening, ...inTurns(turns)];
  // A template without that role takes no two messages of a user in a row either. The first turn is always a user's.
  return inTurns([{ ...first, parts: [{ text: instructions }, ...first.parts] }, ...turns.slice(1)]);
}

const inTurns = (turns: readonly VendorTurn[]): object[] =>
  turns.map(({ role, parts }) => ({ role, content: contentFor(parts) }));

/** The API's `name` allows only these characters; no username contains `-`, so names stay distinct. */
const entriesOf = ({ role, parts }: VendorTurn): object[] =>
  parts.map((part) => {
    const label = part.name?.replaceAll(':', '-') ?? '';
    return { role, ...(/^[\w-]{1,64}$/.test(label) && { name: label }), content: contentFor([part]) };
  });

/** A text, or a list of texts and files: servers that take no files accept only a text. */
function contentFor(parts: readonly TurnPart[]): string | object[] {
  const content = contentOf(parts);
  const texts = content.filter((item) => typeof item === 'string');
  if (texts.length === content.length) return texts.join('\n\n');
  return content.map((item) => {
    if (typeof item === 'string') return { type: 'text', text: item };
    const data = new Encoded(`data:${item.mimeType};base64,`, item.data);
    return item.type === 'image'
      ? { type: 'image_url', image_url: { url: data } }
      : { type: 'file', file: { filename: item.name, file_data: data } };
  });
}
