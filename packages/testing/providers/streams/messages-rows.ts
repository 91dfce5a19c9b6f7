import { errorRows, event, failed, framingRows, type StreamRow } from './row.ts';

/** An event of Anthropic's Messages API. */
const say = (type: string, fields: object = {}): string => event({ type, ...fields }, type);
const begin = (content_block: object, index = 0): string => say('content_block_start', { index, content_block });
const delta = (piece: object, index = 0): string => say('content_block_delta', { index, delta: piece });
const close = (index = 0): string => say('content_block_stop', { index });
const started = say('message_start', { message: { id: 'm', role: 'assistant', content: [] } });
const hi = begin({ type: 'text', text: '' }) + delta({ type: 'text_delta', text: 'Hi' }) + close();
const because = (stop_reason: unknown, more: object = {}): string =>
  say('message_delta', { delta: { stop_reason }, ...more });
const stop = say('message_stop');
const end = because('end_turn') + stop;
const reply = (...wires: readonly string[]): string => [started, ...wires, end].join('');
const ending = (...reasons: readonly unknown[]): string[] =>
  reasons.flatMap((reason) => [started + hi + because(reason) + stop, started + hi + because(reason)]);
const tool = (type: string, more: object = {}): object => ({ type, id: 't1', name: 'look', input: {}, ...more });
const piece = (partial_json: string): string => delta({ type: 'input_json_delta', partial_json }, 1);
const inPieces = (type: string): string =>
  begin(tool(type), 1) + piece('') + piece('{"at":') + piece('"sky"}') + close(1);
const result = (type: string, fields: object): string => begin({ type, tool_use_id: 't1', ...fields }, 2) + close(2);
const LATE_MS = 10_000;

/** What the service makes of streams of Anthropic's Messages API. */
export const messagesRows: readonly StreamRow[] = [
  {
    rule: 'PROVIDER-3',
    sends: '`message_stop`, or `[DONE]`',
    does: 'ends the reply; without a `stop_reason` as `stop`. What follows is ignored',
    wires: [`${started}${hi}${stop}${hi}`, `${reply(hi)}data: [DONE]\n\n`, `${started}${hi}data: [DONE]\n\n`],
    outcome: {},
  },
  {
    rule: 'PROVIDER-3',
    sends: 'the end of the response after a `stop_reason`',
    does: 'ends the reply with that reason',
    wires: [started + hi + because('end_turn')],
    outcome: {},
  },
  {
    rule: 'PROVIDER-3',
    sends: 'the end of the response without either',
    does: 'fails: `interrupted`',
    wires: [started + hi, hi],
    outcome: failed('interrupted'),
  },
  ...framingRows({
    stream: reply(hi),
    json: {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
    },
    begun: started + hi,
    one: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' there' } },
  }),
  {
    rule: 'PROVIDER-9',
    sends: 'a `content_block_delta` without its delta; an event without a type or a name',
    does: 'fails: `protocol`',
    wires: [say('content_block_delta', { index: 0 }), event({ index: 0 })].map((wire) => started + hi + wire),
    outcome: failed('protocol'),
  },
  {
    rule: 'PROVIDER-12',
    sends: 'events without a `type`, but with a name',
    does: 'reads them',
    wires: [reply(hi).replaceAll(/"type":"(message_\w+|content_block_\w+)",?/g, '')],
    outcome: {},
  },
  {
    rule: 'PROVIDER-12',
    sends:
      '`ping`; events, blocks and deltas of unknown types; `signature_delta`, `redacted_thinking`, `container_upload`, `compaction`',
    does: 'ignores them',
    wires: [
      reply(
        say('ping'),
        say('invented_later', { delta: 'a text', message: 7 }),
        begin({ type: 'redacted_thinking', data: 'x' }) + close(),
        begin({ type: 'container_upload', file_id: 'f' }) + close(),
        begin({ type: 'compaction' }) + delta({ type: 'compaction_delta', content: 'x' }) + close(),
        delta({ type: 'signature_delta', signature: 'x' }),
        hi,
      ),
    ],
    outcome: {},
  },
  {
    rule: 'PROVIDER-20',
    sends: 'text, thoughts, sources or usage after a `stop_reason`',
    does: 'reads them; the newest reason counts',
    wires: [
      started + because('max_tokens') + hi + because('end_turn', { usage: { input_tokens: 3, output_tokens: 2 } }),
      started +
        because('end_turn') +
        hi +
        say('message_delta', { usage: { input_tokens: 3, output_tokens: 2 } }) +
        stop,
    ],
    outcome: { usage: [3, 2] },
  },
  {
    rule: 'PROVIDER-20',
    sends: 'nothing for 10 s after a `stop_reason`, without ending the response',
    does: 'ends the reply as `unconfirmed`, or with its reason if that is another one than `stop`',
    wires: [started + hi + because('end_turn')],
    waitsMs: LATE_MS,
    outcome: { end: 'unconfirmed' },
  },
  {
    rule: 'PROVIDER-20',
    sends: 'text after a `stop_reason`, and then nothing for 10 s',
    does: 'fails: `interrupted`',
    wires: [started + because('end_turn') + hi],
    waitsMs: LATE_MS,
    outcome: failed('interrupted'),
  },
  {
    rule: 'PROVIDER-20',
    sends: 'text after a `stop_reason` `end_turn`, and then the end of the response without `message_stop`',
    does: 'ends the reply as `unconfirmed`',
    wires: [started + because('end_turn') + hi],
    outcome: { end: 'unconfirmed' },
  },
  {
    rule: 'PROVIDER-20',
    sends: 'text after a `stop_reason` `end_turn`, and then `message_stop`, or the reason again',
    does: 'ends the reply as `stop`',
    wires: [started + because('end_turn') + hi + stop, started + because('end_turn') + hi + because('end_turn')],
    outcome: {},
  },
  ...errorRows(started + hi),
  {
    rule: 'PROVIDER-23',
    sends: '`stop_reason` `end_turn`, `stop_sequence`',
    does: 'ends the reply',
    wires: ending('end_turn', 'stop_sequence', 'stop'),
    outcome: {},
  },
  {
    rule: 'PROVIDER-23',
    sends: '`stop_reason` `null`, `""`, or no text',
    does: 'takes it for none',
    wires: [null, '', 'null', 7].map((reason) => started + hi + because(reason) + stop),
    outcome: {},
  },
  {
    rule: 'PROVIDER-23',
    sends: '`max_tokens`, `model_context_window_exceeded`',
    does: 'ends the reply as `length`',
    wires: ending('max_tokens', 'model_context_window_exceeded'),
    outcome: { end: 'length' },
  },
  {
    rule: 'PROVIDER-23',
    sends: '`refusal`',
    does: 'ends the reply as `filtered`',
    wires: ending('refusal', 'content_filter'),
    outcome: { end: 'filtered' },
  },
  {
    rule: 'PROVIDER-23',
    sends: '`pause_turn`, `compaction`',
    does: 'ends the reply as `paused`',
    wires: ending('pause_turn', 'compaction'),
    outcome: { end: 'paused' },
  },
  {
    rule: 'PROVIDER-23',
    sends: 'reasons of failures, as gateways pass them on: `error`, `abort` …',
    does: 'fails: `overloaded` or `interrupted`, as in the table above',
    wires: ending('error', 'malformed_model_output'),
    outcome: failed('overloaded'),
  },
  {
    rule: 'PROVIDER-23',
    sends: 'any other `stop_reason`',
    does: 'ends the reply as `other`',
    wires: ending('invented_later'),
    outcome: { end: 'other' },
  },
  {
    rule: 'PROVIDER-28',
    sends: 'a block `tool_use`, with its input in pieces, or whole in its start event',
    does: 'shows it as a tool that did not run, and ends the reply as `tools`',
    wires: [inPieces('tool_use'), begin(tool('tool_use', { input: { at: 'sky' } }), 1) + close(1)].flatMap((block) => [
      started + hi + block + because('tool_use') + stop,
      started + hi + block + end,
    ]),
    outcome: { end: 'tools', tools: [{ name: 'look', input: { at: 'sky' }, status: 'running' }] },
  },
  {
    rule: 'PROVIDER-32',
    sends: 'to a request with tools: a block `tool_use` of one of them, in any of these forms',
    does: 'gives the call to the turn, as the model wrote it, and ends the answer as `tools`',
    wires: [
      inPieces('tool_use'),
      begin(tool('tool_use', { input: { at: 'sky' } }), 1) + close(1),
      inPieces('tool_use').replace(close(1), ''),
    ].flatMap((block) => [
      started + hi + block + because('tool_use') + stop,
      started + hi + block + end,
      started + block + hi + end,
      started + hi + block + stop,
    ]),
    tools: ['look'],
    outcome: { end: 'tools', calls: [{ name: 'look', arguments: '{"at":"sky"}' }] },
  },
  {
    rule: 'PROVIDER-32',
    sends: 'to a request with tools: a block `tool_use` that is cut, and the reason `max_tokens`',
    does: 'gives the call to the turn, and ends the answer as `length`',
    wires: [started + hi + begin(tool('tool_use'), 1) + piece('{"at') + because('max_tokens') + stop],
    tools: ['look'],
    outcome: { end: 'length', calls: [{ name: 'look', arguments: '{"at' }] },
  },
  {
    rule: 'PROVIDER-32',
    sends: 'to a request with tools: a block `tool_use`, and then the end of the response without a reason',
    does: 'fails: `interrupted`, without the call',
    wires: [started + hi + inPieces('tool_use')],
    tools: ['look'],
    outcome: failed('interrupted'),
  },
  {
    rule: 'PROVIDER-32',
    sends: 'to a request with tools: a block `tool_use` without a name or an id',
    does: 'ignores it',
    wires: [
      started + hi + begin(tool('tool_use', { name: '' }), 1) + close(1) + end,
      started + hi + begin(tool('tool_use', { id: null }), 1) + close(1) + end,
    ],
    tools: ['look'],
    outcome: {},
  },
  {
    rule: 'PROVIDER-29',
    sends:
      'text and thoughts in `text_delta` and `thinking_delta`; in `content_block_start`; in the content of `message_start`',
    does: 'reads them, in this order',
    wires: [
      reply(begin({ type: 'thinking', thinking: '' }), delta({ type: 'thinking_delta', thinking: 'Hm' }), close(), hi),
      reply(
        begin({ type: 'thinking', thinking: 'H' }),
        delta({ type: 'thinking_delta', thinking: 'm' }),
        begin({ type: 'text', text: 'H' }, 1),
        delta({ type: 'text_delta', text: 'i' }, 1),
      ),
      say('message_start', {
        message: {
          content: [
            { type: 'thinking', thinking: 'Hm' },
            { type: 'text', text: 'Hi' },
          ],
        },
      }) + end,
    ],
    outcome: { reasoning: 'Hm' },
  },
  {
    rule: 'PART-16',
    sends:
      '`server_tool_use` and `mcp_tool_use`, with their input in pieces or whole in the start event, and a block whose type ends in `_tool_result`',
    does: 'shows the tool with its input and result',
    wires: ['server_tool_use', 'mcp_tool_use'].flatMap((type) =>
      [
        inPieces(type),
        begin(tool(type, { input: { at: 'sky' } }), 1) + close(1),
        begin(tool(type, { input: { at: 'sky' } }), 1),
      ].map((use) =>
        reply(use, result('mcp_tool_result', { is_error: false, content: [{ type: 'text', text: 'blue' }] }), hi),
      ),
    ),
    outcome: { tools: [{ name: 'look', input: { at: 'sky' }, status: 'done' }] },
  },
  {
    rule: 'PART-16',
    sends: 'a result with `is_error`, or whose content has a type that ends in `_error`',
    does: 'shows the tool as failed, with the code or the words',
    wires: [
      result('mcp_tool_result', { is_error: true, content: [{ type: 'text', text: 'no sky' }] }),
      result('web_fetch_tool_result', { content: { type: 'web_fetch_tool_result_error', error_code: 'no sky' } }),
    ].map((failure) => reply(inPieces('mcp_tool_use'), failure, hi)),
    outcome: { tools: [{ name: 'look', input: { at: 'sky' }, status: 'failed' }] },
  },
  {
    rule: 'PART-16',
    sends:
      'pages in the result of a web search; citations with an address, in `citations_delta` or in the start event of a text',
    does: 'lists the pages as sources',
    wires: [
      reply(hi, begin({ type: 'text', text: '', citations: [{ url: 'https://a.example/', title: 'A' }] }, 1)),
      reply(hi, delta({ type: 'citations_delta', citation: { url: 'https://a.example/', cited_text: 'a' } })),
    ],
    outcome: { sources: ['https://a.example/'] },
  },
  {
    rule: 'PART-16',
    sends: 'results of unknown tools, citations without an address, malformed blocks',
    does: 'ignores them',
    wires: [
      reply(
        result('web_search_tool_result', { content: [{ type: 'web_search_result', url: 'https://a.example/' }] }),
        delta({ type: 'citations_delta', citation: { document_index: 0 } }),
        begin({ type: 'server_tool_use', name: 7 }, 3),
        say('content_block_start', { index: 4 }),
        hi,
      ),
    ],
    outcome: {},
  },
  {
    rule: 'USAGE-2',
    sends: '`usage` in `message_start` and `message_delta`, with tokens of the cache',
    does: 'counts each number as it was reported last; the cache is input',
    wires: [
      say('message_start', { message: { usage: { input_tokens: 1, cache_read_input_tokens: 2, output_tokens: 1 } } }) +
        hi +
        because('end_turn', { usage: { output_tokens: 9 } }) +
        stop,
      started +
        hi +
        because('end_turn', { usage: { input_tokens: 2, cache_creation_input_tokens: 1, output_tokens: 9 } }) +
        stop,
    ],
    outcome: { usage: [3, 9] },
  },
  {
    rule: 'USAGE-2',
    sends: 'numbers that are not whole or plausible, or no `input_tokens`',
    does: 'ignores them',
    wires: [{ input_tokens: -1, output_tokens: 9 }, { input_tokens: 'one' }, { output_tokens: 9 }, 'many', null].map(
      (usage) => started + hi + because('end_turn', { usage }) + stop,
    ),
    outcome: {},
  },
];
