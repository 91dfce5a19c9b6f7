// What Anthropic's Messages API refuses about tools, calls and their results.
import { HIDDEN_THOUGHTS, signatureOf } from './fake-signature.ts';
import { type Body, isRecord } from './fake-vendor.ts';

type Fields = Readonly<Record<string, unknown>>;

const hasOnly = (fields: Fields, names: readonly string[]): boolean =>
  Object.keys(fields).every((name) => names.includes(name));

export const blocksIn = (message: Fields | undefined): readonly Fields[] =>
  Array.isArray(message?.['content']) ? message['content'].filter(isRecord) : [];

/** Why the tools of a request are refused. */
export function refusedTools({ tools, tool_choice: choice }: Body): string | undefined {
  if (tools === undefined) return choice === undefined ? undefined : 'tool_choice may only be specified with tools';
  if (!Array.isArray(tools)) return 'tools: Input should be a valid list';
  const names = new Set<unknown>();
  for (const [index, tool] of tools.entries()) {
    if (!isRecord(tool)) return `tools.${index}: Input should be an object`;
    const wrong =
      typeof tool['type'] === 'string' && tool['type'] !== 'custom' ? refusedVendorTool(tool) : refusedTool(tool);
    if (wrong !== undefined) return `tools.${index}.${wrong}`;
    if (names.has(tool['name'])) return 'tools: Tool names must be unique.';
    names.add(tool['name']);
  }
  return undefined;
}

function refusedVendorTool({ type, name, max_uses: uses, ...others }: Fields): string | undefined {
  if (!/^web_search_\d{8}$/.test(String(type)) || name !== 'web_search') return 'type: Input tag does not match';
  if (uses !== undefined && !(Number.isInteger(uses) && Number(uses) > 0))
    return 'max_uses: Input should be greater than 0';
  return hasOnly(others, []) ? undefined : 'web_search: Extra inputs are not permitted';
}

function refusedTool({ type: _type, name, description, input_schema: schema, ...others }: Fields): string | undefined {
  if (!hasOnly(others, [])) return 'custom: Extra inputs are not permitted';
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name))
    return 'custom.name: String should match pattern';
  if (description !== undefined && typeof description !== 'string')
    return 'custom.description: Input should be a string';
  if (!isRecord(schema) || schema['type'] !== 'object') return "custom.input_schema.type: Input should be 'object'";
  return ['oneOf', 'allOf', 'anyOf'].some((keyword) => keyword in schema)
    ? 'custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level'
    : undefined;
}

/** Why a block of an assistant, other than a text, is refused. */
export function refusedAnswerBlock(block: Fields): string | undefined {
  const { type } = block;
  switch (type) {
    case 'thinking':
      return block['signature'] === signatureOf(String(block['thinking'])) &&
        hasOnly(block, ['type', 'thinking', 'signature'])
        ? undefined
        : 'Invalid `signature` in `thinking` block';
    case 'redacted_thinking':
      return block['data'] === HIDDEN_THOUGHTS ? undefined : 'Invalid `data` in `redacted_thinking` block';
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use': {
      const { id, name, input } = block;
      if (typeof id !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(id)) return `${type}.id: String should match pattern`;
      if (typeof name !== 'string' || name === '') return `${type}.name: Field required`;
      return isRecord(input) ? undefined : `${type}.input: Input should be a valid dictionary`;
    }
    case 'web_search_tool_result':
    case 'mcp_tool_result':
      return typeof block['tool_use_id'] === 'string' ? undefined : `${type}.tool_use_id: Field required`;
    default:
      return `Input tag '${String(type)}' found using 'type' does not match any of the expected tags`;
  }
}

/** Why a result of a user is refused. */
export function refusedResult({
  type: _type,
  tool_use_id: id,
  content,
  is_error: isError,
  ...others
}: Fields): string | undefined {
  if (!hasOnly(others, [])) return 'tool_result: Extra inputs are not permitted';
  if (typeof id !== 'string') return 'tool_result.tool_use_id: Field required';
  if (isError !== undefined && typeof isError !== 'boolean')
    return 'tool_result.is_error: Input should be a valid boolean';
  return typeof content === 'string' && content !== '' && content.isWellFormed()
    ? undefined
    : 'tool_result.content: Input should be a valid string';
}

const idsOf = (message: Fields | undefined, type: string, field: string): string[] =>
  blocksIn(message)
    .filter((block) => block['type'] === type)
    .map((block) => String(block[field]));

/** Why the order of calls and results is refused. */
export function refusedOrder(messages: readonly Fields[], { tools, thinking }: Body): string | undefined {
  const isOfTools = messages.some((message) =>
    blocksIn(message).some(({ type }) => type === 'tool_use' || type === 'tool_result'),
  );
  if (isOfTools && tools === undefined)
    return 'Requests which have `tool_use` or `tool_result` blocks in their content must define `tools`';
  const seen = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const called = message['role'] === 'assistant' ? idsOf(message, 'tool_use', 'id') : [];
    const returned = idsOf(messages[index + 1], 'tool_result', 'tool_use_id');
    for (const id of called) {
      if (seen.has(id)) return `messages.${index}: \`tool_use\` ids must be unique`;
      seen.add(id);
    }
    const missing = called.filter((id) => !returned.includes(id));
    if (missing.length > 0)
      return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
    const unexpected = idsOf(message, 'tool_result', 'tool_use_id').filter(
      (id) => !idsOf(messages[index - 1], 'tool_use', 'id').includes(id),
    );
    if (unexpected.length > 0)
      return `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${unexpected.join(', ')}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    const results = blocksIn(message).map(({ type }) => type === 'tool_result');
    if (results.lastIndexOf(true) >= 0 && results.slice(0, results.lastIndexOf(true)).includes(false))
      return `messages.${index}: \`tool_result\` blocks must come before other content`;
  }
  const last = messages.findLast(({ role }) => role === 'assistant');
  const [first] = blocksIn(last);
  const isThought = first?.['type'] === 'thinking' || first?.['type'] === 'redacted_thinking';
  const asksForThoughts = isRecord(thinking) && thinking['type'] === 'enabled';
  return asksForThoughts && idsOf(last, 'tool_use', 'id').length > 0 && !isThought
    ? 'Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block'
    : undefined;
}
