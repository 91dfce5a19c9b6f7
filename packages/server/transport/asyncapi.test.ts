import asyncApiSpecs from '@asyncapi/specs';
import { caps, eventNames as names, events, socketMethods } from '@parley/protocol';
import { samples } from '@parley/protocol/samples';
import { schemaCheck } from '@parley/testing/world/schema-check.ts';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { asyncApi } from './asyncapi.ts';

const document = JSON.parse(JSON.stringify(asyncApi())) as {
  channels: { socket: { address: string; messages: Record<string, object>; bindings: Bindings } };
  components: {
    messages: Record<string, { payload: object; examples?: { payload: unknown }[] }>;
    schemas: Record<string, object>;
  };
};
interface Bindings {
  ws: { query: { properties: { caps: { 'x-caps': object } } } };
}

const ajv = new Ajv({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  keywords: ['components', 'x-max-bytes', 'x-null-is-absent', 'x-caps', 'x-methods'],
});
formats.default(ajv);
const check = schemaCheck(ajv, document.components);

test('API-4: the document validates against the official AsyncAPI 3.0 schema', { tags: ['long'] }, () => {
  // That schema bundles its own meta-schema.
  const schema = asyncApiSpecs.schemas['3.0.0'] as object; // plain JSON; its declared type comes from another library
  const specification = new Ajv({ meta: false, strict: false });
  formats.default(specification);
  specification.validate(schema, document);
  expect(specification.errors).toBeNull();
  specification.validate(schema, { ...document, channels: 5 });
  expect(specification.errors).not.toBeNull();
});

test('API-4: every event and the request envelope are described, and their samples validate', () => {
  const { messages } = document.components;
  expect(Object.keys(messages)).toEqual([...names.map((name) => `events.${name}`), 'request', 'reply', 'error']);
  expect(Object.keys(document.channels.socket.messages)).toEqual(Object.keys(messages));
  expect(document.channels.socket.address).toBe('/api/ws');
  for (const [name, { payload, examples = [] }] of Object.entries(messages))
    for (const example of examples) expect(check(payload, example.payload), name).toBe('');
  expect(
    check(messages['events.messageDelta']?.payload ?? {}, { method: 'events.messageDelta', params: {}, seq: 1 }),
  ).toContain('prev');
});

test('API-4: every socket method and every cap is listed', () => {
  expect(document.components.schemas['Request']).toMatchObject({
    properties: { method: { enum: [...socketMethods.keys()] } },
  });
  expect(document.channels.socket.bindings.ws.query.properties.caps['x-caps']).toEqual(caps);
});

test('API-5: every event has a sample that validates against its declaration', () => {
  for (const name of names) {
    expect(samples.events[name]?.['method']).toBe(`events.${name}`);
    expect(events[name].safeParse(samples.events[name]?.['params']).error, name).toBeUndefined();
  }
});
