import { blocksIn, refusedAnswerBlock, refusedOrder, refusedResult, refusedTools } from './fake-anthropic-tools.ts';
import type { FakeBlock } from './fake-reply.ts';
import { HIDDEN_THOUGHTS, signatureOf } from './fake-signature.ts';
import {
  invalid,
  isBase64,
  isBetween,
  isRecord,
  messagesOf,
  unknownField,
  usualUsage,
  type FakeVendor,
} from './fake-vendor.ts';

const anthropicFields = [
  'model',
  'max_tokens',
  'messages',
  'system',
  'temperature',
  'stream',
  'thinking',
  'output_config',
  'tools',
  'tool_choice',
  'container',
];
const anthropicErrorOf: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

const event = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

const mediaTypes: Readonly<Record<string, readonly string[]>> = {
  image: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
  document: ['application/pdf'],
};

/** Why a block with a call, a result or thoughts is refused; undefined for one that is not, or is of another kind. */
function refusedBlock(block: unknown, role: unknown): string | undefined {
  if (!isRecord(block) || block['type'] === 'text' || String(block['type']) in mediaTypes) return undefined;
  if (role === 'assistant') return refusedAnswerBlock(block);
  return block['type'] === 'tool_result' ? refusedResult(block) : undefined;
}

/** The text of a block; an empty list for an image or a PDF of a user; undefined for anything else. */
function textOfBlock(block: unknown, role: unknown): unknown {
  if (!isRecord(block)) return undefined;
  const { type, source, title, ...extras } = block;
  if (type === 'text') return block['text'];
  // Looked at by `refusedBlock`.
  if (role === 'assistant' || type === 'tool_result') return [];
  const types = mediaTypes[String(type)];
  if (!types || role !== 'user' || !isRecord(source) || Object.keys(extras).length > 0) return undefined;
  if (title !== undefined && (type !== 'document' || typeof title !== 'string')) return undefined;
  const { type: from, media_type: mediaType, data, ...others } = source;
  const isWhole = from === 'base64' && types.includes(String(mediaType)) && isBase64(data);
  return isWhole && Object.keys(others).length === 0 ? [] : undefined;
}

/** The content blocks of a reply, one after another. */
class Blocks {
  #index = -1;
  readonly #serial: string;

  /** `earlier`: the tools of the answers before, whose ids differ. */
  constructor(earlier: number) {
    this.#serial = earlier === 0 ? '' : `${earlier}_`;
  }

  open(content_block: object): string {
    this.#index += 1;
    return event('content_block_start', { index: this.#index, content_block });
  }

  delta(delta: object): string {
    return event('content_block_delta', { index: this.#index, delta });
  }

  close(): string {
    return event('content_block_stop', { index: this.#index });
  }

  /** Ends the open block and writes others. */
  instead(block: FakeBlock): string {
    const before = this.close();
    if ('reasoning' in block) return before + this.#thinking(block.reasoning);
    if ('call' in block) return before + this.#call(block);
    if ('mcp' in block) return before + this.#mcp(block);
    return before + ('search' in block ? this.#search(block) : this.#cited(block));
  }

  #thinking(pieces: readonly string[]): string {
    return (
      this.open({ type: 'thinking', thinking: '', signature: '' }) +
      pieces.map((thinking) => this.delta({ type: 'thinking_delta', thinking })).join('') +
      this.delta({ type: 'signature_delta', signature: signatureOf(pieces.join('')) }) +
      this.close() +
      this.open({ type: 'redacted_thinking', data: HIDDEN_THOUGHTS }) +
      this.close()
    );
  }

  #call({ call, input, json }: Extract<FakeBlock, { call: string }>): string {
    return this.#use('tool_use', `toolu_${this.#serial}${this.#index}`, call, json ?? input);
  }

  /** A tool with its input, which comes in pieces; as a text it is what the model wrote. */
  #use(type: string, id: string, name: string, input: object | string, more: object = {}): string {
    const json = typeof input === 'string' ? input : JSON.stringify(input);
    const half = Math.floor(json.length / 2);
    return (
      this.open({ type, id, name, input: {}, ...more }) +
      this.delta({ type: 'input_json_delta', partial_json: '' }) +
      this.delta({ type: 'input_json_delta', partial_json: json.slice(0, half) }) +
      this.delta({ type: 'input_json_delta', partial_json: json.slice(half) }) +
      this.close()
    );
  }

  #mcp({ mcp, input, answers, isError = false }: Extract<FakeBlock, { mcp: string }>): string {
    const id = `mcptoolu_${this.#serial}${this.#index}`;
    const content = [{ type: 'text', text: answers }];
    return (
      this.#use('mcp_tool_use', id, mcp, input, { server_name: 'files' }) +
      this.open({ type: 'mcp_tool_result', tool_use_id: id, is_error: isError, content }) +
      this.close()
    );
  }

  #search({ search, found }: Extract<FakeBlock, { search: string }>): string {
    const id = `srvtoolu_${this.#serial}${this.#index}`;
    return (
      this.#use('server_tool_use', id, 'web_search', { query: search }) +
      this.open({
        type: 'web_search_tool_result',
        tool_use_id: id,
        content:
          'error' in found
            ? { type: 'web_search_tool_result_error', error_code: found.error }
            : found.map(({ url, title }) => ({
                type: 'web_search_result',
                title,
                url,
                encrypted_content: 'EqgfCioIARgBIiQ3YTAwMjY1Mi1mZjM5LTQ1NGUtODgxNC1kNjNjNTk1ZWI3Y',
                page_age: 'April 30, 2025',
              })),
      }) +
      this.close()
    );
  }

  #cited({ text, cites }: Extract<FakeBlock, { cites: unknown }>): string {
    const citations = cites.map(({ url, title, quoted }) => ({
      type: 'web_search_result_location',
      cited_text: quoted,
      url,
      title,
      encrypted_index: 'Eo8BCioIAhgBIiQyYjQ0OWJmZi1lNm',
    }));
    return (
      this.open({ type: 'text', text: '', citations: [] }) +
      this.delta({ type: 'text_delta', text }) +
      citations.map((citation) => this.delta({ type: 'citations_delta', citation })).join('') +
      this.close()
    );
  }
}

/** Why a model refuses to think; models of Claude 3 think in no form, those of 4.5 only with a budget. */
function refusedThinking(body: Readonly<Record<string, unknown>>): string | undefined {
  const { thinking, output_config: config, temperature, max_tokens: most, model } = body;
  if (thinking === undefined) return config === undefined ? undefined : 'output_config.effort: needs thinking';
  if (!isRecord(thinking) || temperature !== undefined) return 'temperature may only be 1 when thinking is enabled';
  const name = String(model);
  if (/-3/.test(name)) return 'thinking is not supported on this model';
  if (thinking['type'] === 'adaptive') {
    if (/4-5/.test(name)) return 'adaptive thinking is not supported on this model';
    const isEffort = isRecord(config) && ['low', 'medium', 'high'].includes(String(config['effort']));
    return isEffort ? undefined : 'output_config.effort: Input should be low, medium or high';
  }
  if (!/4-5/.test(name)) return '"thinking.type.enabled" is not supported for this model.';
  const budget = Number(thinking['budget_tokens']);
  if (budget < 1_024) return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024';
  return budget < Number(most) ? undefined : '`max_tokens` must be greater than `thinking.budget_tokens`';
}

/** Anthropic Messages, version 2023-06-01. */
export const fakeAnthropic: FakeVendor = {
  provider: 'provider_a',
  path: '/v1/messages',
  models: {
    data: [
      {
        type: 'model',
        id: 'claude-sonnet-4-5',
        display_name: 'Claude Sonnet 4.5',
        created_at: '2025-09-29T00:00:00Z',
      },
    ],
    first_id: 'claude-sonnet-4-5',
    has_more: false,
    last_id: 'claude-sonnet-4-5',
  },
  keyOf: (headers) => (typeof headers['x-api-key'] === 'string' ? headers['x-api-key'] : undefined),
  unknownKey: [401, 'authentication_error', 'invalid x-api-key'],

  refusal(headers, body) {
    if (!headers['x-api-key']) return [401, 'authentication_error', 'x-api-key header is required'];
    if (headers['anthropic-version'] !== '2023-06-01') return invalid('anthropic-version: header is required');
    const extra = unknownField(body, anthropicFields);
    if (extra !== undefined) return invalid(`${extra}: Extra inputs are not permitted`);
    if (typeof body['model'] !== 'string' || body['model'] === '') return invalid('model: Field required');
    if (!Number.isInteger(body['max_tokens'])) return invalid('max_tokens: Field required');
    if (Number(body['max_tokens']) < 1) return invalid('max_tokens: must be greater than or equal to 1');
    if (body['system'] !== undefined && typeof body['system'] !== 'string')
      return invalid('system: Input should be text');
    if (!isBetween(body['temperature'], 0, 1)) return invalid('temperature: range: 0..1');
    const wrong = refusedThinking(body) ?? refusedTools(body);
    if (wrong !== undefined) return invalid(wrong);
    const messages = messagesOf(body);
    if (messages.length === 0) return invalid('messages: at least one message is required');
    for (const [index, { role, content, ...extras }] of messages.entries()) {
      const [field] = Object.keys(extras);
      if (field !== undefined) return invalid(`messages.${index}.${field}: Extra inputs are not permitted`);
      if (role !== 'user' && role !== 'assistant') {
        return invalid(`messages: Unexpected role "${String(role)}". The Messages API accepts a top-level \`system\``);
      }
      const blocks = Array.isArray(content) ? content.map((block) => refusedBlock(block, role)) : [];
      const refused = blocks.findIndex((why) => why !== undefined);
      if (refused >= 0) return invalid(`messages.${index}.content.${refused}: ${blocks[refused]}`);
      const texts = Array.isArray(content) ? content.flatMap((block) => textOfBlock(block, role)) : [content];
      if (Array.isArray(content) && content.length === 0)
        return invalid('messages: at least one content block is required');
      for (const text of texts) {
        if (typeof text !== 'string') return invalid(`messages.${index}.content: Input should be a valid string`);
        if (text.trim() === '') return invalid('messages: text content blocks must contain non-whitespace text');
        if (!text.isWellFormed()) return invalid('The request body is not valid JSON: no low surrogate in string');
      }
    }
    if (messages[0]?.['role'] !== 'user') return invalid('messages: first message must use the "user" role');
    const order = refusedOrder(messages, body);
    return order === undefined ? undefined : invalid(order);
  },

  failure(status, type, message) {
    const error = { type: type ?? anthropicErrorOf[status] ?? 'api_error', message: message ?? `fake error ${status}` };
    return JSON.stringify({ type: 'error', error, request_id: 'req_fake' });
  },

  wire(body, script) {
    const { usage = usualUsage } = script;
    const opening = usage && {
      input_tokens: usage.input,
      cache_creation_input_tokens: usage.cacheWritten ?? 0,
      cache_read_input_tokens: usage.cacheRead ?? 0,
      output_tokens: 1,
    };
    const earlier = messagesOf(body).flatMap(blocksIn);
    const blocks = new Blocks(earlier.filter(({ type }) => String(type).endsWith('tool_use')).length);
    const message = { id: 'msg_fake', type: 'message', role: 'assistant', model: body['model'], content: [] };
    return {
      opening: () =>
        event('message_start', {
          message: {
            ...message,
            stop_reason: null,
            stop_sequence: null,
            ...(opening && { usage: opening }),
          },
        }) +
        blocks.open({ type: 'text', text: '' }) +
        event('ping', {}),
      text: (text) => blocks.delta({ type: 'text_delta', text }),
      block: (block) => blocks.instead(block) + blocks.open({ type: 'text', text: '' }),
      error: (type) =>
        event('error', { error: { type: type ?? 'overloaded_error', message: script.message ?? 'Overloaded' } }),
      ending: (finish) =>
        blocks.close() +
        event('message_delta', {
          delta: { stop_reason: finish ?? 'end_turn', stop_sequence: null },
          ...(usage && { usage: { output_tokens: usage.output } }),
        }) +
        event('message_stop', {}),
    };
  },
};
