import {
  AttachmentInput,
  fieldNotes,
  type OperationName,
  operationNames,
  operations,
  PartInput,
} from '@parley/protocol';
import { samples } from '@parley/protocol/samples';
import { schemaCheck } from '@parley/testing/world/schema-check.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { asyncApi } from './asyncapi.ts';
import { openApi } from './openapi.ts';

interface Link {
  operationId: OperationName;
  requestBody: string;
}
interface Document {
  paths: Record<
    string,
    {
      post: {
        requestBody: { required: boolean; content: Record<string, { schema: object }> };
        responses: Record<string, { links?: Record<string, Link> }>;
      };
    }
  >;
  components: {
    schemas: Record<string, object>;
    links: Record<string, Link>;
    messages: Record<string, { payload: { $ref: string } }>;
  };
}

const parsed = (document: object) => JSON.parse(JSON.stringify(document)) as Document;
const [http, socket] = [parsed(openApi()), parsed(asyncApi())];

interface Field {
  description?: string;
}

/** Calls `visit` for each field of the schemas in a part of a document, with the name of the field. */
function eachField(part: unknown, visit: (name: string, schema: Field, path: string) => void, path = '') {
  if (typeof part !== 'object' || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    // What stands in these is no schema of a value.
    if (['example', 'examples', 'default', 'if', 'x-methods'].includes(key)) continue;
    if (key === 'properties') for (const [name, schema] of Object.entries<Field>(value)) visit(name, schema, path);
    eachField(value, visit, `${path}/${key}`);
  }
}

test('API-10: every field of the published schemas has a description that says more than its name', () => {
  const bare: string[] = [];
  const notesOf = new Set<unknown>();
  let count = 0;
  for (const document of [http, socket])
    eachField(document, (name, { description }, path) => {
      count += 1;
      notesOf.add(description);
      const words = (description ?? '').toLowerCase().replaceAll(/\b(?:the|an?)\b|[^a-z]/g, '');
      if (words === '' || words === name.replaceAll('_', '')) bare.push(`${path} ${name}`);
    });
  expect(bare).toEqual([]);
  expect(count).toBeGreaterThan(1_000);
  expect(Object.entries(fieldNotes).filter(([, note]) => !notesOf.has(note))).toEqual([]);
});

test('API-11: schemas have names that differ in more than case, also the members of unions and the payloads of events', () => {
  for (const { components } of [http, socket]) {
    const plain = Object.keys(components.schemas).map((name) => name.toLowerCase().replaceAll('_', ''));
    expect(new Set(plain).size).toBe(plain.length);
    for (const name of Object.keys(components.schemas)) expect(name).toMatch(/^[A-Z][A-Za-z]+$/);
  }
  expect(http.components.schemas['Part']).toEqual({
    oneOf: ['Reasoning', 'Tool', 'Source', 'Citation', 'Progress', 'Notice'].map((kind) => ({
      $ref: `#/components/schemas/${kind}Part`,
    })),
    discriminator: {
      propertyName: 'type',
      mapping: expect.objectContaining({ tool: '#/components/schemas/ToolPart' }),
    },
  });
  for (const { payload } of Object.values(socket.components.messages))
    expect(socket.components.schemas).toHaveProperty(payload.$ref.replace('#/components/schemas/', ''));
});

const ajv = new Ajv2020({
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  keywords: ['components', 'discriminator', 'x-max-bytes', 'x-null-is-absent'],
});
formats.default(ajv);
const check = schemaCheck(ajv, http.components);

/** Every object that has one of these values, or none, for each field. */
const mixes = (fields: Record<string, readonly unknown[]>): Record<string, unknown>[] =>
  Object.entries(fields).reduce<Record<string, unknown>[]>(
    (made, [name, values]) =>
      made.flatMap((one) => [one, { ...one, [name]: null }, ...values.map((value) => ({ ...one, [name]: value }))]),
    [{}],
  );

const id = '0193e2a0-0000-7000-8000-000000000000';
const ofOperation = (name: OperationName): [z.ZodType, object] => [
  operations[name].input,
  http.paths[`/api/${name}`]?.post.requestBody.content['application/json']?.schema ?? {},
];
const ofResource = (input: z.ZodType, name: string): [z.ZodType, object] => [
  input,
  { $ref: `#/components/schemas/${name}` },
];

test.each([
  [
    'startChat',
    ofOperation('startChat'),
    {},
    { username: ['bob'], usernames: [['bob'], []], title: ['T'], new: [true, false] },
  ],
  [
    'setChatState',
    ofOperation('setChatState'),
    { chat_id: id },
    { is_pinned: [true, false], is_archived: [true, false] },
  ],
  ['updateProfile', ofOperation('updateProfile'), {}, { display_name: ['A'], bio: ['', 'x'], avatar_file_id: [id] }],
  ['joinChat', ofOperation('joinChat'), {}, { token: ['i_1'], chat_id: [id] }],
  ['getUsers', ofOperation('getUsers'), {}, { usernames: [[], ['bob']], usable_agents: [true, false] }],
  [
    'addAgentSource',
    ofOperation('addAgentSource'),
    { username: 'bob' },
    { file_id: [id], url: ['https://a.example/'] },
  ],
  ['getModels', ofOperation('getModels'), {}, { username: ['bob'], provider: ['provider_a'] }],
  ['setInboxDone', ofOperation('setInboxDone'), {}, { message_ids: [[], [id]], through_position: [0, 5] }],
  [
    'sendMessage',
    ofOperation('sendMessage'),
    { chat_id: id },
    {
      text: ['', 'hi'],
      attachments: [[], [{ kind: 'photo' }]],
      service: [{}, { kind: 'x' }],
      poll: [{ question: 'q', options: ['a', 'b'] }],
    },
  ],
  [
    'scheduleMessage',
    ofOperation('scheduleMessage'),
    { chat_id: id, send_at: '2030-01-01T00:00:00Z' },
    {
      text: ['', 'hi'],
      attachments: [[], [{ kind: 'photo' }]],
    },
  ],
  [
    'previewSchedule',
    ofOperation('previewSchedule'),
    {},
    {
      when: mixes({
        every: ['hour', 'day', 'week', 'month'],
        at: ['09:00'],
        days: [[1]],
        day_of_month: [3],
        zone: ['UTC'],
      }),
    },
  ],
  ['getChatHistory', ofOperation('getChatHistory'), { chat_id: id }, { cursor: ['c'], around: [id], after: [id] }],
  [
    'getChatMedia',
    ofOperation('getChatMedia'),
    { chat_id: id, kind: 'media' },
    { cursor: ['c'], before: [id], after: [id] },
  ],
  [
    'sendChatAction',
    ofOperation('sendChatAction'),
    { chat_id: id },
    { action: ['', 'typing'], is_typing: [true, false] },
  ],
  [
    'appendMessageStream',
    ofOperation('appendMessageStream'),
    { message_id: id },
    {
      delta: ['', 'x'],
      offset: [0, 3],
      text: ['', 'x'],
      part: [{ type: 'notice', id: 'n', text: 'x' }],
    },
  ],
  [
    'PartInput',
    ofResource(PartInput, 'PartInput'),
    { type: 'reasoning', id: 'r' },
    {
      text: ['', 'x'],
      append: ['', 'x'],
      text_offset: [0, 3],
    },
  ],
  ['AttachmentInput', ofResource(AttachmentInput, 'AttachmentInput'), {}, { id: [id], kind: ['photo'] }],
] as const)(
  'API-12: the schema of %s takes the combinations of fields that the service takes',
  (_name, [input, schema], base, fields) => {
    const all = mixes(fields).map((mix) => ({ ...base, ...mix }));
    const verdicts = all.map((value) => [value, input.safeParse(value).success]);
    expect(all.map((value) => [value, check(schema, value) === ''])).toEqual(verdicts);
    expect(new Set(verdicts.map(([, isTaken]) => isTaken))).toEqual(new Set([true, false]));
  },
);

test('API-12: these are all the schemas that refuse combinations', () => {
  const found = [...JSON.stringify(http).matchAll(/"else":\{"not":\{\}\}/g)].length;
  expect(found).toBe(18);
});

test('API-14: the pattern of a text on one line excludes control characters, separators and marks of direction', () => {
  const { schema } = http.paths['/api/setChatTitle']?.post.requestBody.content['application/json'] ?? {};
  const { pattern } = (schema as { properties: { title: { pattern: string } } }).properties.title;
  const [published, meant] = [new RegExp(pattern), /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u];
  const differ: number[] = [];
  for (let point = 0; point <= 0x10_ff_ff; point += 1) {
    const text = String.fromCodePoint(point);
    if (published.test(text) === meant.test(text)) differ.push(point);
  }
  expect(differ).toEqual([]);
});

test('API-14: a body is required where the service refuses an empty object; numbers have the bounds of safe integers', () => {
  for (const name of operationNames) {
    const { required, content } = http.paths[`/api/${name}`]?.post.requestBody ?? {};
    expect(required, name).toBe(!operations[name].input.safeParse({}).success);
    if (name === 'getUpdates')
      expect(content?.['application/json']?.schema).toMatchObject({
        properties: { since: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER } },
      });
  }
  expect(http.components.schemas['Message']).toMatchObject({ properties: { position: { type: 'integer' } } });
  expect(JSON.stringify(http.components.schemas['Message'])).not.toContain(String(Number.MAX_SAFE_INTEGER));
});

/** The value of a link's expression in a recorded call. */
function valueAt(expression: string, name: OperationName): unknown {
  const { request, reply } = samples.operations[name] ?? {};
  const [, from, pointer = ''] = /^\{\$(request|response)\.body#(.*)\}$/.exec(expression) ?? [];
  const start: unknown = from === 'request' ? request : reply;
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], start);
}

test('API-13: each link names fields of its operation, with values that the answer or the request has', () => {
  const seen = new Set<string>();
  for (const name of operationNames) {
    const { links = {} } = http.paths[`/api/${name}`]?.post.responses['200'] ?? {};
    for (const [title, link] of Object.entries(links)) {
      const { operationId, requestBody } =
        '$ref' in link ? (http.components.links[String(link.$ref).replace('#/components/links/', '')] ?? link) : link;
      seen.add(`${title} ${operationId}`);
      const { shape } = operations[operationId].input;
      for (const [field, given] of Object.entries<unknown>(JSON.parse(requestBody))) {
        const [, expression = ''] = /(\{\$[^}]+\})/.exec(JSON.stringify(given)) ?? [];
        const value = valueAt(expression, name);
        const isLastPage = field === 'cursor' && value === undefined;
        const filled: unknown = JSON.parse(
          JSON.stringify(given).replace(`"${expression}"`, JSON.stringify(value ?? null)),
        );
        const schema: z.ZodType = shape[field as never];
        if (!isLastPage) expect(schema.safeParse(filled).error, `${name}: ${title}, ${field}`).toBeUndefined();
        expect(value !== undefined || isLastPage, `${name}: ${title}, ${field}`).toBe(true);
      }
    }
  }
  expect(seen).toContain('editMessage editMessage');
  expect(seen).toContain('nextPage getChatHistory');
});
