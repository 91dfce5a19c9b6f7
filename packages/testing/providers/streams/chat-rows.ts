import { errorRows, event, failed, framingRows, type StreamRow } from './row.ts';

/** A chunk of the Chat Completions API. */
const chunk = (delta: object | null, finish: unknown = null, more: object = {}): string =>
  event({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }], ...more });
const DONE = 'data: [DONE]\n\n';
const hi = chunk({ role: 'assistant', content: 'Hi' });
const stop = chunk({}, 'stop');
/** A reply that contains this. */
const reply = (...wires: readonly string[]): string => [...wires, stop, DONE].join('');
const ending = (...reasons: readonly unknown[]): string[] =>
  reasons.flatMap((reason) => [hi + chunk({}, reason) + DONE, hi + chunk({}, reason)]);
const usageOf = (usage: object): string => event({ object: 'chat.completion.chunk', choices: [], usage });
const call = (piece: object): string => chunk({ tool_calls: [piece] });
const LATE_MS = 10_000;
/** A failing reason waits no longer than an end mark. */
const GRACE_MS = 1_000;

/** What the service makes of streams of the Chat Completions API. */
/** Three bytes as the address of a picture. */
const dot = 'data:image/png;base64,AAAA';

export const chatRows: readonly StreamRow[] = [
  {
    rule: 'PROVIDER-3',
    sends: '`[DONE]`',
    does: 'ends the reply; without a `finish_reason` as `stop`. What follows is ignored',
    wires: [`${hi}${DONE}${chunk({ content: ' more' })}`, `${hi}${stop}${DONE}data: {\n\n`],
    outcome: {},
  },
  {
    rule: 'PROVIDER-3',
    sends: 'the end of the response after a `finish_reason`',
    does: 'ends the reply with that reason',
    wires: [hi + stop],
    outcome: {},
  },
  {
    rule: 'PROVIDER-3',
    sends: 'the end of the response without either',
    does: 'fails: `interrupted`',
    wires: [hi, hi + chunk({})],
    outcome: failed('interrupted'),
  },
  ...framingRows({
    stream: reply(hi),
    json: {
      id: 'c',
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    },
    begun: hi,
    one: { choices: [{ index: 0, delta: { content: ' there' }, finish_reason: null }] },
  }),
  {
    rule: 'PROVIDER-9',
    sends: '`choices` that is no list',
    does: 'fails: `protocol`',
    wires: [hi + event({ choices: 1 }), hi + event({ choices: {} })],
    outcome: failed('protocol'),
  },
  {
    rule: 'PROVIDER-20',
    sends: 'text, thoughts, sources or usage after a `finish_reason`',
    does: 'reads them; the newest reason counts',
    wires: [
      chunk({ content: 'H' }, 'stop') +
        chunk({ content: 'i' }, 'stop') +
        usageOf({ prompt_tokens: 3, completion_tokens: 2 }) +
        DONE,
      chunk({ content: 'H' }, 'length') +
        chunk({ content: 'i' }) +
        chunk({}, 'stop', { usage: { prompt_tokens: 3, completion_tokens: 2 } }),
    ],
    outcome: { usage: [3, 2] },
  },
  {
    rule: 'PROVIDER-20',
    sends: 'nothing for 10 s after a `finish_reason`, without ending the response',
    does: 'ends the reply as `unconfirmed`, or with its reason if that is another one than `stop`',
    wires: [hi + stop],
    waitsMs: LATE_MS,
    outcome: { end: 'unconfirmed' },
  },
  {
    rule: 'PROVIDER-20',
    sends: 'text after a `finish_reason`, and then nothing for 10 s',
    does: 'fails: `interrupted`',
    wires: [chunk({ content: 'H' }, 'stop') + chunk({ content: 'i' })],
    waitsMs: LATE_MS,
    outcome: failed('interrupted'),
  },
  {
    rule: 'PROVIDER-20',
    sends: 'text after a `finish_reason` `stop`, and then the end of the response without `[DONE]`',
    does: 'ends the reply as `unconfirmed`',
    wires: [
      chunk({ content: 'H' }, 'stop') + chunk({ content: 'i' }),
      chunk({ content: 'H' }, 'stop') + chunk({ content: 'i' }) + usageOf({}),
    ],
    outcome: { end: 'unconfirmed' },
  },
  {
    rule: 'PROVIDER-20',
    sends:
      'text after a `finish_reason` `stop`, and then `[DONE]`; `stop` with every piece, and then the end of the response',
    does: 'ends the reply as `stop`',
    wires: [
      chunk({ content: 'H' }, 'stop') + chunk({ content: 'i' }) + DONE,
      chunk({ content: 'H' }, 'stop') + chunk({ content: 'i' }, 'stop'),
      chunk({ content: 'H' }, 'stop') + chunk({ content: 'i' }, 'stop') + DONE,
      chunk({ content: 'Hi' }, 'stop'),
    ],
    outcome: {},
  },
  ...errorRows(hi),
  {
    rule: 'PROVIDER-22',
    sends: '`error` in a choice, also beside a `finish_reason`',
    does: 'fails, with the words',
    wires: [
      hi +
        event({
          choices: [{ index: 0, delta: {}, finish_reason: 'error', error: { code: 502, message: 'provider gone' } }],
        }) +
        DONE,
      hi + event({ choices: [{ index: 0, delta: { content: '' }, error: 'provider gone' }] }),
    ],
    outcome: failed('overloaded', 'provider gone'),
  },
  {
    rule: 'PROVIDER-23',
    sends: '`finish_reason` `stop`, `eos`, `eos_token`, `end_turn`, `stop_sequence`, `COMPLETE`, `normal` …',
    does: 'ends the reply',
    wires: ending('stop', 'STOP', 'eos', 'eos_token', 'end_turn', 'stop_sequence', 'COMPLETE', 'normal', {
      type: 'stop',
    }),
    outcome: {},
  },
  {
    rule: 'PROVIDER-23',
    sends: '`finish_reason` `null`, `"null"`, `""`, `not_finished`, a number or a boolean',
    does: 'takes it for none',
    wires: [null, 'null', '', 'not_finished', 7, false, {}].map((reason) => hi + chunk({}, reason) + DONE),
    outcome: {},
  },
  {
    rule: 'PROVIDER-23',
    sends:
      '`length`, `max_tokens`, `model_length`, `MAX_TOKENS`, `model_context_window_exceeded`, `max_output_tokens` …',
    does: 'ends the reply as `length`',
    wires: ending(
      'length',
      'max_tokens',
      'model_length',
      'MAX_TOKENS',
      'model_context_window_exceeded',
      'max_output_tokens',
      'token_limit',
    ),
    outcome: { end: 'length' },
  },
  {
    rule: 'PROVIDER-23',
    sends:
      '`content_filter`, `SAFETY`, `sensitive`, `refusal`, `RECITATION`, `PROHIBITED_CONTENT`, `guardrail_intervened` …',
    does: 'ends the reply as `filtered`',
    wires: ending(
      'content_filter',
      'content-filter',
      'SAFETY',
      'sensitive',
      'refusal',
      'RECITATION',
      'PROHIBITED_CONTENT',
      'guardrail_intervened',
      'ERROR_TOXIC',
      'content_filter_error',
      'BLOCKLIST',
      'SPII',
    ),
    outcome: { end: 'filtered' },
  },
  {
    rule: 'PROVIDER-23',
    sends: '`abort`, `cancelled`, `network_error`, `timeout`, `time_limit` …',
    does: 'fails: `interrupted`',
    wires: ending(
      'abort',
      'aborted',
      'cancelled',
      'USER_CANCEL',
      'network_error',
      'timeout',
      'time_limit',
      'connection_refused',
      'network_policy_error',
      'policy_timeout',
    ),
    outcome: failed('interrupted'),
  },
  {
    rule: 'PROVIDER-23',
    sends:
      '`error`, `insufficient_system_resource`, `MALFORMED_FUNCTION_CALL`, `malformed_model_output` …; usage that follows is read',
    does: 'fails: `overloaded`, with the reason as its words',
    wires: [
      'error',
      'insufficient_system_resource',
      'MALFORMED_FUNCTION_CALL',
      'malformed_model_output',
      'internal_error',
      'invalid_length_error',
      'policy_error',
    ].map((reason) => hi + chunk({}, reason) + usageOf({ prompt_tokens: 3, completion_tokens: 2 }) + DONE),
    outcome: { ...failed('overloaded'), usage: [3, 2] },
  },
  {
    rule: 'PROVIDER-23',
    sends: 'such a reason, and then text, another reason or a broken connection',
    does: 'fails in the same way; the text is ignored',
    wires: [
      hi + chunk({}, 'error') + chunk({ content: ' more' }) + chunk({}, 'stop') + DONE,
      hi + chunk({}, 'error') + stop,
      hi + chunk({}, 'error') + chunk({}, 'abort'),
      hi + chunk({}, 'error') + call({ index: 0, id: 'a', function: { name: 'look', arguments: '{}' } }) + DONE,
      hi + chunk({}, 'error') + 'data: {"choices"',
      hi +
        event([{ choices: [{ finish_reason: 'error' }] }, { error: 'No' }, { choices: [{ delta: { content: '!' } }] }]),
    ],
    outcome: failed('overloaded', 'error'),
  },
  {
    rule: 'PROVIDER-23',
    sends: 'such a reason, and then nothing for 1 s',
    does: 'fails in the same way',
    wires: [hi + chunk({}, 'error')],
    waitsMs: GRACE_MS,
    outcome: failed('overloaded', 'error'),
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
    sends: 'any other `finish_reason`',
    does: 'ends the reply as `other`',
    wires: ending('invented_later', 'LANGUAGE', 'OTHER'),
    outcome: { end: 'other' },
  },
  {
    rule: 'PROVIDER-28',
    sends:
      '`tool_calls`, with arguments in pieces, whole, or as an object, without an index, or each with an id of its own at the same index; `function_call`',
    does: 'shows each as a tool that did not run, and ends the reply as `tools`',
    wires: [
      call({ index: 0, id: 'a', type: 'function', function: { name: 'look', arguments: '' } }) +
        call({ index: 0, function: { name: '', arguments: '{"at":' } }) +
        call({ index: 0, function: { arguments: '"sky"}' } }),
      call({ index: 0, id: 'a', function: { name: 'look', arguments: '{"at":"sky"}' } }),
      call({ id: 'a', function: { name: 'look', arguments: { at: 'sky' } } }),
      chunk({ function_call: { name: 'look', arguments: '' } }) +
        chunk({ function_call: { arguments: '{"at":"sky"}' } }),
    ].flatMap((calls) => [
      hi + calls + chunk({}, 'tool_calls') + DONE,
      hi + calls + chunk({}, 'function_call'),
      // Some servers give the reason of a whole reply.
      hi + calls + stop + DONE,
    ]),
    outcome: { end: 'tools', tools: [{ name: 'look', input: { at: 'sky' }, status: 'running' }] },
  },
  {
    rule: 'PROVIDER-28',
    sends: 'two calls at one index; arguments that are not JSON; a call without a name',
    does: 'shows both calls; shows the arguments as a text; ignores the call',
    wires: [
      hi +
        call({ index: 0, id: 'a', function: { name: 'look', arguments: '{}' } }) +
        call({ index: 0, id: 'b', function: { name: 'go', arguments: 'north' } }) +
        call({ index: 1, function: { arguments: '{}' } }) +
        chunk({}, 'tool_calls') +
        DONE,
    ],
    outcome: {
      end: 'tools',
      tools: [
        { name: 'look', input: {}, status: 'running' },
        { name: 'go', input: 'north', status: 'running' },
      ],
    },
  },
  {
    rule: 'PROVIDER-28',
    sends: 'calls that text follows, with the reason `stop`: the server has run them itself',
    does: 'shows them, and ends the reply as `stop`',
    wires: [
      call({ index: 0, id: 'a', type: 'web_search_call', function: { name: 'look', arguments: '{}' } }) + reply(hi),
    ],
    outcome: { tools: [{ name: 'look', input: {}, status: 'running' }] },
  },
  {
    rule: 'PROVIDER-32',
    sends: 'to a request with tools: calls of them, in any of these forms',
    does: 'gives each to the turn, as the model wrote it, and ends the answer as `tools`',
    wires: [
      call({ index: 0, id: 'a', type: 'function', function: { name: 'look', arguments: '' } }) +
        call({ index: 0, function: { arguments: '{"at":' } }) +
        call({ index: 0, function: { arguments: '"sky"}' } }),
      call({ id: 'a', function: { name: 'look' } }) +
        call({ function: { arguments: '{"at":' } }) +
        call({ function: { arguments: '"sky"}' } }),
      call({ id: 'a', function: { name: 'look', arguments: { at: 'sky' } } }),
      call({ index: 0, function: { name: 'look', arguments: '{"at":"sky"}' } }),
      chunk({ function_call: { name: 'look', arguments: '{"at":"sky"}' } }),
    ].flatMap((calls) => [
      hi + calls + chunk({}, 'tool_calls') + DONE,
      hi + calls + stop + DONE,
      calls + hi + stop + DONE,
      hi + calls + DONE,
    ]),
    tools: ['look'],
    outcome: { end: 'tools', calls: [{ name: 'look', arguments: '{"at":"sky"}' }] },
  },
  {
    rule: 'PROVIDER-32',
    sends: 'to a request with tools: two calls at one index, with ids of their own or with whole arguments',
    does: 'gives both to the turn',
    wires: [
      ['a', 'b'],
      ['', ''],
    ].map(
      ([one, two]) =>
        hi +
        call({ index: 0, id: one, function: { name: 'look', arguments: '{}' } }) +
        call({ index: 0, id: two, function: { name: 'look', arguments: '[1]' } }) +
        chunk({}, 'tool_calls') +
        DONE,
    ),
    tools: ['look'],
    outcome: {
      end: 'tools',
      calls: [
        { name: 'look', arguments: '{}' },
        { name: 'look', arguments: '[1]' },
      ],
    },
  },
  {
    rule: 'PROVIDER-32',
    sends: 'to a request with tools: a call that is cut, and the reason `length`',
    does: 'gives it to the turn, and ends the answer as `length`',
    wires: [
      hi + call({ index: 0, id: 'a', function: { name: 'look', arguments: '{"at' } }) + chunk({}, 'length') + DONE,
    ],
    tools: ['look'],
    outcome: { end: 'length', calls: [{ name: 'look', arguments: '{"at' }] },
  },
  {
    rule: 'PROVIDER-32',
    sends: 'to a request with tools: a call, and then the end of the response without a reason',
    does: 'fails: `interrupted`, without the call',
    wires: [hi + call({ index: 0, id: 'a', function: { name: 'look', arguments: '{}' } })],
    tools: ['look'],
    outcome: failed('interrupted'),
  },
  {
    rule: 'PROVIDER-29',
    sends:
      '`content` as a text, a part, or a list of parts: `text` (also `output_text`), `refusal`, texts; `refusal` beside it',
    does: 'reads it as text',
    wires: [
      hi,
      chunk({ content: { type: 'text', text: 'Hi' } }),
      chunk({
        content: [
          { type: 'text', text: 'H' },
          { type: 'output_text', text: 'i' },
        ],
      }),
      chunk({ content: ['H', { type: 'refusal', refusal: 'i' }] }),
      chunk({ content: 'H', refusal: 'i' }),
      chunk({ content: null, refusal: 'Hi' }),
    ].map((wire) => reply(wire)),
    outcome: {},
  },
  {
    rule: 'PROVIDER-29',
    sends: '`message` instead of `delta`, in a reply that has no text yet',
    does: 'reads it',
    wires: [
      event({ choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }] }) + DONE,
    ],
    outcome: {},
  },
  {
    rule: 'PROVIDER-29',
    sends:
      '`message` beside or after a `delta`; choices after the first one; parts, events and fields of unknown types, or of other types than expected',
    does: 'ignores them',
    wires: [
      event({
        choices: [
          { index: 0, delta: { content: 'Hi' }, message: { content: 'Hi' }, logprobs: {}, finish_reason: null },
          { index: 1, delta: { content: 'No' } },
        ],
      }),
      hi + event({ choices: [{ index: 0, message: { content: 'Hi' } }] }),
      chunk({ content: [{ type: 'image_url', image_url: {} }, { type: 'reference', reference_ids: [1] }, 7, null] }) +
        hi,
      chunk({ content: 7, reasoning: 7, refusal: [], tool_calls: 7, annotations: {} }) + hi,
      chunk(null) +
        hi +
        event({ choices: null, prompt_filter_results: [] }) +
        event({ type: 'status', message: 'loading' }),
      event({ choices: [null] }) + event({ choices: [{ index: 0, finish_reason: null }] }) + event({}) + hi,
    ].map((wire) => reply(wire)),
    outcome: {},
  },
  {
    rule: 'PART-17',
    sends:
      '`reasoning_content` or `reasoning`; without them the texts of `reasoning_details`; parts of `content` of the type `thinking` or `reasoning`',
    does: 'reads them as thoughts',
    wires: [
      chunk({ reasoning_content: 'Hm', content: null }),
      chunk({ reasoning: 'Hm', reasoning_details: [{ type: 'reasoning.text', text: 'Hm' }] }),
      chunk({
        reasoning_details: [
          { type: 'reasoning.text', text: 'H' },
          { type: 'reasoning.summary', summary: 'm' },
          { data: 'x' },
        ],
      }),
      chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }),
      chunk({ content: [{ type: 'thinking', thinking: 'Hm' }] }),
      chunk({ content: [{ type: 'reasoning', text: 'Hm' }] }),
    ].map((wire) => reply(wire, hi)),
    outcome: { reasoning: 'Hm' },
  },
  {
    rule: 'PART-17',
    sends:
      '`annotations` of the kind `url_citation`; `citations`, `search_results` and `web_search` of a chunk, a choice or a delta, with addresses, or objects with `url` or `link`, also repeatedly',
    does: 'lists the pages as sources',
    wires: [
      chunk({
        annotations: [
          { type: 'url_citation', url_citation: { url: 'https://a.example/', title: 'A' } },
          { type: 'file' },
        ],
      }),
      event({ choices: [], citations: ['https://a.example/'] }) +
        chunk({}, null, { citations: ['https://a.example/'] }),
      chunk({}, null, {
        search_results: [{ url: 'https://a.example/', title: 'A', snippet: 'a' }, { title: 'none' }, 7],
      }),
      chunk({ citations: [{ url: 'https://a.example/' }] }),
      event({ choices: [{ index: 0, delta: {}, citations: ['https://a.example/'] }] }),
      event({ web_search: [{ link: 'https://a.example/', title: 'A' }], choices: [] }),
    ].map((wire) => reply(hi, wire)),
    outcome: { sources: ['https://a.example/'] },
  },
  {
    rule: 'PART-18',
    sends: '`<think>` … `</think>` at the beginning of the content',
    does: 'reads what stands between them as thoughts',
    wires: [reply(chunk({ content: '<think>Hm</think>' }), hi)],
    outcome: { reasoning: 'Hm' },
  },
  {
    rule: 'PICTURE-6',
    sends:
      '`images` of a delta, each with an `image_url`, or parts of `content` with one: a `data:` address of base64, or one of http; an event with one may have 20 Mi characters',
    does: 'adds each to the reply as a photo',
    wires: [
      chunk({ images: [{ type: 'image_url', image_url: { url: dot }, index: 0 }] }),
      chunk({ images: [{ image_url: { url: dot } }] }),
      chunk({ content: [{ type: 'image_url', image_url: dot }] }),
    ].map((wire) => reply(wire, hi)),
    outcome: { pictures: [3] },
  },
  {
    rule: 'PICTURE-6',
    sends: 'such an address that is neither',
    does: 'says in a notice that a picture could not be kept',
    wires: ['data:image/png;base64,!', 'data:text/plain;base64,AAAA', 'x'].map((url) =>
      reply(chunk({ images: [{ image_url: { url } }] }), hi),
    ),
    outcome: { pictures: [''] },
  },
  {
    rule: 'USAGE-2',
    sends: '`usage` of a chunk, with every chunk too; `x_groq.usage`; `usage` of the choice',
    does: 'counts the last one',
    wires: [
      hi + stop + usageOf({ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }) + DONE,
      chunk({ content: 'H' }, null, { usage: { prompt_tokens: 3, completion_tokens: 1 } }) +
        chunk({ content: 'i' }, 'stop', { usage: { prompt_tokens: 3, completion_tokens: 2 } }),
      hi + chunk({}, 'stop', { x_groq: { id: 'x', usage: { prompt_tokens: 3, completion_tokens: 2 } } }) + DONE,
      hi +
        event({
          choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: { prompt_tokens: 3, completion_tokens: 2 } }],
        }),
      hi + stop + event({ usage: { prompt_tokens: 3, completion_tokens: 2 } }),
      hi + stop + usageOf({ input_tokens: 3, output_tokens: 2 }),
    ],
    outcome: { usage: [3, 2] },
  },
  {
    rule: 'USAGE-2',
    sends: '`total_tokens` above the sum of the two, or without `completion_tokens`',
    does: 'counts what is above the input as output: thoughts are billed',
    wires: [
      {
        prompt_tokens: 12,
        completion_tokens: 2,
        total_tokens: 354,
        completion_tokens_details: { reasoning_tokens: 340 },
      },
      { prompt_tokens: 12, total_tokens: 354 },
    ].map((usage) => hi + stop + usageOf(usage) + DONE),
    outcome: { usage: [12, 342] },
  },
  {
    rule: 'USAGE-2',
    sends: 'a usage that is not whole, plausible numbers, or without the input or the output',
    does: 'ignores it',
    wires: [
      {},
      { prompt_tokens: 3 },
      { prompt_tokens: -3, completion_tokens: 1 },
      { prompt_tokens: '3', completion_tokens: 1 },
      [],
      'many',
    ].map((usage) => hi + event({ choices: [], usage }) + stop + DONE),
    outcome: {},
  },
];
