import { invalid, isBetween, isRecord, messagesOf, unknownField, usualUsage, type FakeVendor } from './fake-vendor.ts';

const anthropicFields = ['model', 'max_tokens', 'messages', 'system', 'temperature', 'stream'];
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

const textOfBlock = (block: unknown): unknown =>
  isRecord(block) && block['type'] === 'text' ? block['text'] : undefined;

/** Anthropic Messages, version 2023-06-01. */
export const fakeAnthropic: FakeVendor = {
  provider: 'provider_a',
  path: '/v1/messages',
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
    const messages = messagesOf(body);
    if (messages.length === 0) return invalid('messages: at least one message is required');
    for (const [index, { role, content, ...extras }] of messages.entries()) {
      const [field] = Object.keys(extras);
      if (field !== undefined) return invalid(`messages.${index}.${field}: Extra inputs are not permitted`);
      if (role !== 'user' && role !== 'assistant') {
        return invalid(`messages: Unexpected role "${String(role)}". The Messages API accepts a top-level \`system\``);
      }
      const texts = Array.isArray(content) ? content.map(textOfBlock) : [content];
      if (texts.length === 0) return invalid('messages: at least one content block is required');
      for (const text of texts) {
        if (typeof text !== 'string') return invalid(`messages.${index}.content: Input should be a valid string`);
        if (text.trim() === '') return invalid('messages: text content blocks must contain non-whitespace text');
        if (!text.isWellFormed()) return invalid('The request body is not valid JSON: no low surrogate in string');
      }
    }
    if (messages[0]?.role !== 'user') return invalid('messages: first message must use the "user" role');
    return undefined;
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
        event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
        event('ping', {}),
      text: (text) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
      error: (type) =>
        event('error', { error: { type: type ?? 'overloaded_error', message: script.message ?? 'Overloaded' } }),
      ending: (finish) =>
        event('content_block_stop', { index: 0 }) +
        event('message_delta', {
          delta: { stop_reason: finish ?? 'end_turn', stop_sequence: null },
          ...(usage && { usage: { output_tokens: usage.output } }),
        }) +
        event('message_stop', {}),
    };
  },
};
