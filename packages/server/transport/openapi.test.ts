import { errorStatus, type Operation, operationGroups, operationNames, operations } from '@parley/protocol';
import { samples } from '@parley/protocol/samples';
import { schemaCheck } from '@parley/testing/world/schema-check.ts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { openApi } from './openapi.ts';

const document = JSON.parse(JSON.stringify(openApi())) as {
  [key: string]: unknown;
  paths: Record<string, { post: PathItem }>;
  components: { schemas: Record<string, object> };
};
interface PathItem {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: object[];
  'x-socket-methods': { name: string; rename?: object; fixed?: object }[];
  requestBody: { required: boolean; content: Content };
  responses: Record<string, { headers: object; content: Content }>;
}
interface Body {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
type Content = { 'application/json': Body; 'multipart/form-data'?: Body };

const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  keywords: ['components', 'discriminator', 'x-max-bytes', 'x-null-is-absent'],
});
formats.default(ajv);
const check = schemaCheck(ajv, document.components);

const requestSchema = (name: string): { properties?: Record<string, object> } => {
  const { schema = {} } = document.paths[`/api/${name}`]?.post.requestBody.content['application/json'] ?? {};
  return schema;
};

test('API-1: the document validates against the official OpenAPI 3.1 schema', async () => {
  const { valid, errors } = await new Validator().validate(document);
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
});

test('API-1: every operation is described, and its samples validate against its request, result and errors', () => {
  expect(Object.keys(document.paths)).toEqual(operationNames.map((name) => `/api/${name}`));
  for (const name of operationNames) {
    const { policy, upload: isUpload, summary, errors }: Operation = operations[name];
    const post = document.paths[`/api/${name}`]?.post;
    expect(post).toMatchObject({
      operationId: name,
      description: summary,
      security: policy.open ? [] : [{ token: [] }],
    });
    const { requestBody, responses } = post ?? {};
    const statuses = (['invalid_argument', ...errors] as const).map((code) => String(errorStatus[code]));
    expect(Object.keys(responses ?? {}), name).toEqual(expect.arrayContaining(['200', ...statuses]));
    const request = requestBody?.content[isUpload ? 'multipart/form-data' : 'application/json'];
    expect(check(request?.schema ?? {}, request?.example), `${name} is called`).toBe('');
    for (const [status, { headers, content }] of Object.entries(responses ?? {})) {
      const { schema, example, examples = {} } = content['application/json'];
      expect(headers).toHaveProperty('x-request-id');
      const values = status === '200' ? [example] : Object.values(examples).map(({ value }) => value);
      for (const value of values) expect(check(schema, value), `${name} answers ${status}`).toBe('');
    }
  }
});

test('API-1: each resource is defined once and referenced everywhere else', () => {
  const { schemas } = document.components;
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining(['Account', 'Message', 'Conversation', 'Reaction', 'ApiError']),
  );
  const text = JSON.stringify(document.paths);
  expect(text).toContain('"$ref":"#/components/schemas/Message"');
  // A field that only a Message has.
  expect(text.replace(/"examples?":.*?"(?=headers|description)/g, '')).not.toContain('"finalized_at":{');
  const used = new Set(
    [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name),
  );
  expect(used.difference(new Set(Object.keys(schemas)))).toEqual(new Set());
});

test('API-1: limits of text and ids are stated, and optional fields are not required', () => {
  const fields = document.paths['/api/sendMessage']?.post.requestBody.content['application/json'].schema;
  expect(fields).toMatchObject({
    required: ['chat_id', 'text'],
    properties: {
      chat_id: { type: 'string', format: 'uuid' },
      text: { type: 'string', 'x-max-bytes': 262_144 },
      attachments: {
        type: ['array', 'null'],
        maxItems: 10,
        items: { $ref: '#/components/schemas/AttachmentInput' },
      },
    },
  });
  expect(document.components.schemas['Attachment']).toMatchObject({ required: ['kind'] });
});

test('API-7: each request schema allows null exactly for the optional fields', () => {
  const differ: string[] = [];
  for (const name of operationNames) {
    const { input, upload: isUpload }: Operation = operations[name];
    if (isUpload) continue;
    const request: Record<string, unknown> = { ...samples.operations[name]?.request };
    const accepts = (value: object): boolean => input.safeParse(value).success;
    for (const [field, schema] of Object.entries(requestSchema(name).properties ?? {})) {
      const { [field]: _given, ...without } = request;
      const isAccepted = accepts({ ...without, [field]: null });
      const mayBeNull = check(schema, null) === '';
      const expected = mayBeNull && 'x-null-is-absent' in schema ? accepts(without) : mayBeNull;
      if (isAccepted !== expected) differ.push(`${name} { ${field}: null }: ${isAccepted}`);
    }
  }
  expect(differ).toEqual([]);
});

test('API-7: schemas that only the service sends do not use null for absent fields', () => {
  const { Attachment, AttachmentInput } = document.components.schemas;
  expect(JSON.stringify(Attachment)).not.toContain('null');
  expect(AttachmentInput).toMatchObject({
    properties: { name: { type: ['string', 'null'] } },
  });
});

test('API-7: a file is `format: binary`, and no schema name collides with another’s generated constructor', () => {
  const { content } = document.paths['/api/uploadFile']?.post.requestBody ?? {};
  expect(content?.['multipart/form-data']?.schema).toMatchObject({
    properties: { file: { type: 'string', format: 'binary' } },
  });
  const names = new Set(Object.keys(document.components.schemas));
  // Generated Go makes a function `NewAttachment` for a schema `Attachment`.
  expect([...names].filter((name) => names.has(name.replace(/^New/, '')) && name.startsWith('New'))).toEqual([]);
});

test('API-1: each operation lists its socket methods, with the field names they use', () => {
  expect(document.paths['/api/setMessageReaction']?.post['x-socket-methods']).toEqual([
    { name: 'setMessageReaction' },
    { name: 'reactions.add', fixed: { remove: false, keep: true } },
    { name: 'reactions.remove', fixed: { remove: true } },
  ]);
  const send = document.paths['/api/sendMessage']?.post['x-socket-methods'][1];
  expect(send).toMatchObject({ name: 'messages.send', rename: { conversation_id: 'chat_id', content: 'text' } });
  expect(document.paths['/api/signUp']?.post.security).toEqual([]);
  expect(document.paths['/api/getMe']?.post.security).toEqual([{ token: [] }]);
});

test('API-1: the events that a webhook can have are listed in the order of their declarations', () => {
  const { events } = requestSchema('createWebhookSubscription').properties ?? {};
  expect(events).toMatchObject({
    items: {
      enum: [
        'messageNew',
        'messageComplete',
        'reactionAdded',
        'reactionRemoved',
        'conversationNew',
        'messageDeleted',
        'messagePinned',
        'alert',
        'conversationUpdated',
        'inboxUpdated',
        'conversationRemoved',
        'messageUpdated',
        'pollVoted',
        'decisionUpdated',
        'versionsChanged',
        'accountUpdated',
      ],
    },
  });
});

test('API-1: each operation belongs to exactly one group', () => {
  expect(operationGroups.flatMap(({ names }) => names).toSorted()).toEqual(operationNames.toSorted());
});

test('API-5: every operation has a sample that validates against its declaration', () => {
  for (const name of operationNames) {
    const sample = samples.operations[name];
    expect(sample, name).toBeDefined();
    const { input, result, upload: isUpload }: Operation = operations[name];
    // The samples do not contain the bytes of a file.
    if (!isUpload) expect(input.safeParse(sample?.request).error, name).toBeUndefined();
    if (result) expect(result.safeParse(sample?.reply.result).error, name).toBeUndefined();
    else expect(sample?.reply).toEqual({ ok: true });
  }
});
