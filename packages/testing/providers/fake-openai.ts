import { refusedAnswer, refusedOrder, refusedTools } from './fake-openai-tools.ts';
import type { FakeSource } from './fake-reply.ts';
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

const openaiFields = [
  'model',
  'messages',
  'stream',
  'stream_options',
  'temperature',
  'max_completion_tokens',
  'max_tokens',
  'reasoning_effort',
  'tools',
  'tool_choice',
  'web_search_options',
];
const openaiErrorOf: Readonly<Record<number, string>> = {
  429: 'rate_limit_exceeded',
  500: 'server_error',
  503: 'server_error',
};

const annotation = ({ url, title, quoted }: FakeSource): object => ({
  type: 'url_citation',
  url_citation: { end_index: 0, start_index: 0, title, url, ...(quoted !== undefined && { content: quoted }) },
});

const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

/** A part of a user's content: a text, an image or a PDF. */
function isPart(part: unknown): boolean {
  if (!isRecord(part)) return false;
  const { type, [String(type)]: value, ...extras } = part;
  if (Object.keys(extras).length > 0) return false;
  if (type === 'text') return typeof value === 'string' && value !== '';
  if (!isRecord(value)) return false;
  if (type === 'image_url')
    return Object.keys(value).join() === 'url' && isDataUrl(value['url'], 'image/(?:jpeg|png|gif|webp)');
  const isFile = type === 'file' && Object.keys(value).toSorted().join() === 'file_data,filename';
  return isFile && typeof value['filename'] === 'string' && isDataUrl(value['file_data'], 'application/pdf');
}

function isDataUrl(value: unknown, types: string): boolean {
  const [, data] = new RegExp(`^data:${types};base64,(.*)$`).exec(String(value)) ?? [];
  return isBase64(data);
}

/** OpenAI Chat Completions. */
export const fakeOpenai: FakeVendor = {
  provider: 'provider_b',
  path: '/v1/chat/completions',
  models: {
    object: 'list',
    data: ['gpt-5.1', 'gpt-5.1-mini'].map((id) => ({
      id,
      object: 'model',
      created: 1_767_225_600,
      owned_by: 'system',
    })),
  },
  keyOf: (headers) => /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1],
  unknownKey: [401, 'invalid_request_error', 'Incorrect API key provided.'],

  refusal(headers, body) {
    if (!headers.authorization) return [401, 'invalid_request_error', "You didn't provide an API key."];
    const extra = unknownField(body, openaiFields);
    if (extra !== undefined) return invalid(`Unrecognized request argument supplied: ${extra}`);
    if (typeof body['model'] !== 'string' || body['model'] === '') return invalid('you must provide a model parameter');
    if (body['stream_options'] !== undefined && body['stream'] !== true) {
      return invalid("The 'stream_options' parameter is only allowed when 'stream' is enabled.");
    }
    const { max_tokens: former, max_completion_tokens: limit = former } = body;
    if (former !== undefined && /^(?:o\d|gpt-5)/.test(body['model']))
      return invalid(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      );
    if (former !== undefined && limit !== former)
      return invalid("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.");
    if (limit !== undefined && !Number.isInteger(limit)) return invalid("Invalid type for 'max_completion_tokens'.");
    if (!isBetween(body['temperature'], 0, 2)) return invalid("Invalid 'temperature': decimal out of range.");
    if (body['web_search_options'] !== undefined && !/search/.test(body['model']))
      return invalid("Unsupported parameter: 'web_search_options' is not supported with this model.");
    const tools = refusedTools(body);
    if (tools !== undefined) return invalid(tools);
    const messages = messagesOf(body);
    if (messages.length === 0) return invalid("Invalid 'messages': empty array.");
    for (const [index, message] of messages.entries()) {
      const { role, content, name } = message;
      if (role === 'assistant' && message['tool_calls'] !== undefined) {
        const wrong = refusedAnswer(message, index);
        if (wrong !== undefined) return invalid(wrong);
        continue;
      }
      if (!['system', 'developer', 'user', 'assistant', 'tool'].includes(String(role))) {
        return invalid(`Invalid value: '${String(role)}'. Supported values are: 'system', 'assistant', 'user'.`);
      }
      const parts = Array.isArray(content) && role === 'user' && content.length > 0 ? content : [content];
      if (!parts.every((part) => (typeof part === 'string' ? part === content : isPart(part))))
        return invalid(`Invalid type for 'messages[${index}].content'.`);
      if (name !== undefined && !(typeof name === 'string' && /^[a-zA-Z0-9_-]{1,64}$/.test(name)))
        return invalid(`Invalid 'messages[${index}].name': string does not match pattern.`);
    }
    const order = refusedOrder(messages, body);
    return order === undefined ? undefined : invalid(order);
  },

  pictures: {
    path: '/v1/images/generations',
    refusal(body) {
      const extra = unknownField(body, ['model', 'prompt', 'n', 'size', 'quality', 'background', 'output_format']);
      if (extra !== undefined) return invalid(`Unknown parameter: '${extra}'.`);
      if (typeof body['model'] !== 'string' || body['model'] === '')
        return invalid('you must provide a model parameter');
      if (typeof body['prompt'] !== 'string' || body['prompt'] === '')
        return invalid("Missing required parameter: 'prompt'.");
      if (!isBetween(body['n'], 1, 10)) return invalid("Invalid value for 'n'.");
      const sizes = [undefined, 'auto', '1024x1024', '1536x1024', '1024x1536'];
      return sizes.some((size) => size === body['size']) ? undefined : invalid("Invalid value for 'size'.");
    },
    answer({ picture = {}, usage = usualUsage }) {
      const { bytes, url, revised } = picture;
      const { input = 0, output = 0 } = usage ?? {};
      return {
        created: 1_767_225_600,
        data: [
          {
            ...(bytes && { b64_json: Buffer.from(bytes).toString('base64') }),
            ...(url !== undefined && { url }),
            ...(revised !== undefined && { revised_prompt: revised }),
          },
        ],
        // Models that are paid by the picture report none.
        ...(usage && {
          usage: {
            total_tokens: input + output,
            input_tokens: input,
            output_tokens: output,
            input_tokens_details: { text_tokens: input, image_tokens: 0 },
          },
        }),
      };
    },
  },

  transcripts: {
    path: '/v1/audio/transcriptions',
    refusal(form) {
      const extra = unknownField(form, ['model', 'file', 'response_format', 'language', 'prompt', 'temperature']);
      if (extra !== undefined) return invalid(`Unrecognized request argument supplied: ${extra}`);
      if (typeof form['model'] !== 'string' || form['model'] === '')
        return invalid('you must provide a model parameter');
      const { file } = form;
      if (!isRecord(file)) return invalid("Missing required parameter: 'file'.");
      if (!/\.(?:flac|mp3|mp4|mpeg|mpga|m4a|ogg|wav|webm)$/.test(String(file['name'])))
        return invalid('Invalid file format.');
      if (form['response_format'] !== 'json') return invalid("Invalid value for 'response_format'.");
      return undefined;
    },
    answer({ chunks = [], usage = usualUsage }) {
      const { input = 0, output = 0 } = usage ?? {};
      return {
        text: chunks.filter((chunk) => typeof chunk === 'string').join(''),
        usage: usage
          ? {
              type: 'tokens',
              total_tokens: input + output,
              input_tokens: input,
              input_token_details: { text_tokens: 0, audio_tokens: input },
              output_tokens: output,
            }
          : // Of models that are paid by the minute.
            { type: 'duration', seconds: 3 },
      };
    },
  },

  failure(status, type, message) {
    return JSON.stringify({
      error: {
        message: message ?? `fake error ${status}`,
        type: type ?? openaiErrorOf[status] ?? 'invalid_request_error',
        param: null,
        code: status === 401 ? 'invalid_api_key' : null,
      },
    });
  },

  wire(body, script) {
    const given = script.usage === undefined ? usualUsage : script.usage;
    const options = body['stream_options'];
    const wantsUsage = isRecord(options) && options['include_usage'] === true && given !== null;
    const base = {
      id: 'chatcmpl-fake',
      object: 'chat.completion.chunk',
      created: 1_767_225_600,
      model: body['model'],
      service_tier: 'default',
      system_fingerprint: 'fp_fake',
    };
    const chunk = (delta: object, finish: string | null = null): string =>
      data({
        ...base,
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
        ...(wantsUsage && { usage: null }),
      });
    const earlier = messagesOf(body).filter(({ role }) => role === 'tool').length;
    let calls = 0;
    const field = script.reasoningField ?? 'reasoning_content';
    const cached = given?.cacheRead ?? 0;
    const input = (given?.input ?? 0) + (given?.cacheWritten ?? 0) + cached;
    const output = given?.output ?? 0;
    const usage = {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached },
    };
    return {
      opening: () => chunk({ role: 'assistant', content: '', refusal: null }),
      text: (content) => chunk({ content }),
      block(block) {
        if ('reasoning' in block)
          return block.reasoning.map((piece) => chunk({ content: null, [field]: piece })).join('');
        if ('search' in block || 'mcp' in block) throw new Error('this vendor runs no tools');
        if ('call' in block) {
          const index = calls;
          calls += 1;
          const json = block.json ?? JSON.stringify(block.input);
          const call = {
            index,
            id: `call_${earlier + index}`,
            type: 'function',
            function: { name: block.call, arguments: '' },
          };
          const pieces = [json.slice(0, 2), json.slice(2)].map((text) => ({ index, function: { arguments: text } }));
          return [call, ...pieces].map((piece) => chunk({ tool_calls: [piece] })).join('');
        }
        return chunk({ content: block.text }) + chunk({ annotations: block.cites.map(annotation) });
      },
      error: (type) =>
        data({
          error: {
            message: script.message ?? 'The server had an error while processing your request.',
            type: type ?? 'server_error',
            param: null,
            code: null,
          },
        }),
      ending: (finish) =>
        chunk({}, finish ?? 'stop') + (wantsUsage ? data({ ...base, choices: [], usage }) : '') + 'data: [DONE]\n\n',
    };
  },
};
