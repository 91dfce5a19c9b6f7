// Streams of model servers beside what the service makes of them: the tables of docs/MODEL-STREAMS.md, and their tests.

/** What becomes of a reply. */
export interface RowOutcome {
  text: string;
  reasoning: string;
  /** The last report: input and output tokens. */
  usage: readonly [number, number] | null;
  /** The addresses, in order. */
  sources: readonly string[];
  /** Sizes in bytes of the pictures that it has drawn, or their addresses. */
  pictures: readonly (number | string)[];
  /** The last state of each tool. */
  tools: readonly { name: string; input?: unknown; status: string }[];
  /** The calls of a request with tools. */
  calls: readonly { name: string; arguments: string }[];
  /** The reason of the end; null if the reply fails. */
  end: string | null;
  /** The kind of the error; null if the reply does not fail. */
  error: string | null;
  /** The vendor's words in the error; compared only where a row has them. */
  quote?: string;
}

/** One row of a table. */
export interface StreamRow {
  rule: string;
  /** What the server sends, in Markdown. */
  sends: string;
  /** What the service does with it, in Markdown. */
  does: string;
  /** Responses of this kind, each with the same outcome. */
  wires: readonly string[];
  /** The content type of the response; `text/event-stream` by default. */
  type?: string;
  /** The names of the tools in the request. */
  tools?: readonly string[];
  /** The response does not end: the time after which the service ends the reply, in milliseconds. */
  waitsMs?: number;
  /** Where the outcome differs from `ok`. */
  outcome: Partial<RowOutcome>;
}

/** A whole reply with the text "Hi". */
export const ok: RowOutcome = {
  text: 'Hi',
  reasoning: '',
  usage: null,
  sources: [],
  pictures: [],
  tools: [],
  calls: [],
  end: 'stop',
  error: null,
};

/** The outcome of a reply that fails. */
export const failed = (error: string, quote?: string): Partial<RowOutcome> => ({
  end: null,
  error,
  ...(quote !== undefined && { quote }),
});

/** An event, with its name if it has one. */
export const event = (data: unknown, name = ''): string =>
  `${name === '' ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;

/** Rows as a table of Markdown, in the order of their rules. */
export const tableOf = (rows: readonly StreamRow[]): string =>
  [
    '| the server sends | the service | rule |',
    '|---|---|---|',
    ...rows.map(({ sends, does, rule }) => `| ${sends} | ${does} | ${rule} |`),
  ].join('\n');

interface Sample {
  /** A whole reply with the text "Hi", as a stream and as JSON. */
  stream: string;
  json: object;
  /** The stream without its end mark and reason. */
  begun: string;
  /** One event of the reply. */
  one: object;
}

/** How responses are framed, which is the same in both protocols (PROVIDER-21). */
export const framingRows = ({ stream, json, begun, one }: Sample): StreamRow[] => [
  {
    rule: 'PROVIDER-21',
    sends: 'lines that end with CR or CRLF; a byte order mark; comments, `id`, `retry` and unknown fields',
    does: 'reads the events',
    wires: [
      stream.replaceAll('\n', '\r\n'),
      stream.replaceAll('\n', '\r'),
      `\ufeff${stream}`,
      stream.replaceAll('data:', ': ping\nid: 7\nretry: 10\nmood: fine\ndata:'),
    ],
    outcome: {},
  },
  {
    rule: 'PROVIDER-21',
    sends: 'data in several lines, or without the space after `data:`',
    does: 'reads the events',
    wires: [
      stream.replaceAll(/^data: (\{.*)$/gm, (_, data: string) =>
        JSON.stringify(JSON.parse(data), null, 1).replaceAll(/^/gm, 'data: '),
      ),
      stream.replaceAll('data: ', 'data:'),
    ],
    outcome: {},
  },
  {
    rule: 'PROVIDER-21',
    sends: 'events with empty data, or with `null`',
    does: 'ignores them',
    wires: [stream.replaceAll(/^data:/gm, 'data:\n\ndata: \n\ndata: null\n\ndata:')],
    outcome: {},
  },
  {
    rule: 'PROVIDER-21',
    sends: 'the last event without the blank line behind it',
    does: 'reads it',
    wires: [stream.trimEnd(), `${stream.trimEnd()}\n`],
    outcome: {},
  },
  {
    rule: 'PROVIDER-21',
    sends: 'events as a list in one',
    does: 'reads each',
    wires: [stream.replaceAll(/^data: (\{.*)$/gm, 'data: [$1]')],
    outcome: {},
  },
  {
    rule: 'PROVIDER-21',
    sends: 'another content type, except HTML',
    does: 'reads the events',
    wires: [stream],
    type: 'application/json; charset=utf-8',
    outcome: {},
  },
  {
    rule: 'PROVIDER-21',
    sends: 'the whole answer as JSON, as without `stream`',
    does: 'reads it',
    wires: [JSON.stringify(json), JSON.stringify(json, null, 2)],
    type: 'application/json',
    outcome: {},
  },
  {
    rule: 'PROVIDER-9',
    sends: 'HTML, or anything else that is neither events nor JSON',
    does: 'fails: `protocol`',
    wires: ['<html>It works!</html>'],
    type: 'text/html',
    outcome: { text: '', ...failed('protocol') },
  },
  {
    rule: 'PROVIDER-9',
    sends: 'data that is neither JSON nor `[DONE]`, or no object; an event of more than 1 MiB',
    does: 'fails: `protocol`',
    wires: [
      'data: {"a\n\n',
      'data: 7\n\n',
      'data: "text"\n\n',
      'data: [1]\n\n',
      `data: "${'x'.repeat(1_100_000)}"\n\n`,
    ].map((wire) => begun + wire),
    outcome: failed('protocol'),
  },
  {
    rule: 'PROVIDER-9',
    sends: 'half an event, and then the end of the response',
    does: 'fails: `interrupted`',
    wires: [begun + event(one).slice(0, -6)],
    outcome: failed('interrupted'),
  },
];

/** Errors inside a stream, which come in the same forms in both protocols (PROVIDER-22). */
export function errorRows(begun: string): StreamRow[] {
  const crashed = (...errors: readonly string[]): string[] => errors.map((error) => begun + error);
  const words = 'model crashed';
  const outcome = failed('overloaded', words);
  return [
    {
      rule: 'PROVIDER-22',
      sends: '`error` as an object, a text or a list; a list of errors',
      does: 'fails, with the words',
      wires: crashed(
        event({ error: { message: words, type: 'server_error' } }),
        event({ error: words }),
        event({ error: [{ message: words }] }),
        event([{ error: { code: 500, message: words, status: 'INTERNAL' } }]),
        event({ error: { message: { detail: words } } }),
      ),
      outcome,
    },
    {
      rule: 'PROVIDER-22',
      sends: 'an event with the name `error`, or the field `error:` instead of `data:`',
      does: 'fails, with the words',
      wires: crashed(
        event({ message: words, code: 500 }, 'error'),
        event(words, 'error'),
        `event: error\ndata: ${words}\n\n`,
        `error: ${JSON.stringify({ code: 500, message: words })}\n\n`,
        `error: ${JSON.stringify({ code: 500, message: words })}`,
      ),
      outcome,
    },
    {
      rule: 'PROVIDER-22',
      sends:
        '`object` or `type` that is `error`; `detail`, `errors`, `error_code`, `success: false`, `base_resp`; `message` or `msg` without a reply',
      does: 'fails, with the words',
      wires: crashed(
        event({ object: 'error', message: words, type: 'InternalServerError', code: 500 }),
        event({ type: 'error', message: words }),
        event({ detail: words }),
        event({ detail: [{ msg: words }] }),
        event({ success: false, errors: [{ code: 1, message: words }] }),
        event({ success: false, message: words }),
        event({ error_code: 50_001, text: words }),
        event({ errorCode: 'E7', errorMessage: words }),
        event({ base_resp: { status_code: 1_013, status_msg: words } }),
        event({ code: 'InternalError', message: words, request_id: '7' }),
        event({ msg: words }),
        event({ message: { detail: words } }),
      ),
      outcome,
    },
    {
      rule: 'PROVIDER-22',
      sends:
        'an error that names a status (`code`, `status`, `status_code`), or a known name (`rate_limit_error`, `RESOURCE_EXHAUSTED`, `RateLimitError` …)',
      does: 'fails: of the kind of that status',
      wires: crashed(
        event({ error: { message: 'slow down', code: 429 } }),
        event({ error: { message: 'slow down', code: '429' } }),
        event({ error: { message: 'slow down', type: 'rate_limit_error' } }),
        event({ error: { message: 'slow down', status: 'RESOURCE_EXHAUSTED' } }),
        event({ object: 'error', message: 'slow down', type: 'RateLimitError' }),
        event({ status_code: 429, message: 'slow down' }),
      ),
      outcome: failed('rate_limited', 'slow down'),
    },
    {
      rule: 'PROVIDER-22',
      sends: 'an error of an unknown form under the name `error`',
      does: 'fails: `overloaded`',
      wires: crashed(
        event({ some: 'thing' }, 'error'),
        'event: error\ndata:\n\n',
        event({ error: {} }),
        event({ error: true }),
      ),
      outcome: failed('overloaded'),
    },
  ];
}
