import asyncApiSpecs from '@asyncapi/specs';
import { type EventName, eventNotes, events, socketMethods } from '@parley/protocol';
import { samples } from '@parley/protocol/samples.ts';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { asyncApi } from './asyncapi.ts';

const document = JSON.parse(JSON.stringify(asyncApi())) as {
  channels: { socket: { address: string; messages: Record<string, object>; bindings: object } };
  components: { messages: Record<string, { payload: object; examples?: { payload: unknown }[] }>; schemas: object };
};
const names = Object.keys(events) as EventName[]; // keys of a constant

/** Events of caps that the service does not serve yet: none could be recorded. */
const unserved: readonly EventName[] = [];

const ajv = new Ajv({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  keywords: ['components', 'x-max-bytes', 'x-caps', 'x-methods'],
});
formats.default(ajv);
ajv.addSchema({ $id: 'doc:', components: document.components });
const compiled = new Map<string, ValidateFunction>();
/** What is wrong with a value. */
const check = (schema: object, value: unknown): string => {
  const text = JSON.stringify(schema).replaceAll('"#/components', '"doc:#/components');
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
  compiled.set(text, validate);
  return validate(value) ? '' : ajv.errorsText(validate.errors);
};

test('API-4: the document is AsyncAPI 3.0 by the specification’s own schema', () => {
  // It brings the schema of schemas with it.
  const schema = asyncApiSpecs.schemas['3.0.0'] as object; // JSON, whose own type is of another library
  const specification = new Ajv({ meta: false, strict: false });
  formats.default(specification);
  specification.validate(schema, document);
  expect(specification.errors).toBeNull();
  specification.validate(schema, { ...document, channels: 5 });
  expect(specification.errors).not.toBeNull();
});

test('API-4: every event and the envelope of requests is there, with samples that fit', () => {
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

test('API-4: every method of the socket and every cap is named', () => {
  expect(document.components.messages['request']?.payload).toMatchObject({
    properties: { method: { enum: [...socketMethods.keys()] } },
  });
  const query = { properties: { caps: { 'x-caps': { nodrafts: expect.any(String), patch: expect.any(String) } } } };
  expect(document.channels.socket.bindings).toMatchObject({ ws: { query } });
  expect(Object.keys(eventNotes)).toEqual(names);
});

test('API-5: every event has a sample that its declaration accepts', () => {
  expect(names.filter((name) => !samples.events[name])).toEqual(unserved);
  for (const name of names.filter((name) => !unserved.includes(name))) {
    expect(samples.events[name]?.['method']).toBe(`events.${name}`);
    expect(events[name].safeParse(samples.events[name]?.['params']).error, name).toBeUndefined();
  }
});
