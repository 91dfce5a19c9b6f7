import {
  caps,
  errorStatus,
  eventNotes,
  type EventName,
  events,
  featureLevel,
  type Operation,
  operations,
  socketMethods,
} from '@parley/protocol';
import { samples } from '@parley/protocol/samples';
import { type JsonSchema, wireSchemas } from './wire-schemas.ts';

const description = `The WebSocket of Parley: clients send requests, the service sends replies and events. Every frame is JSON text.

A request calls any operation of /openapi.json, by its own name or a dotted one. \`seq\` is a counter of the whole service: jumps are normal. \`prev\` is the \`seq\` of the previous frame sent to this account; if it is greater than the last \`seq\` the client handled, frames were skipped, and \`getUpdates\` returns them. A frame whose \`seq\` equals its \`prev\` is outside the log: always handle it, and leave your position unchanged.`;

const eventNames = Object.keys(events) as EventName[]; // keys of a constant: complete
const message = (name: string) => ({ $ref: `#/components/messages/${name}` });
const ofChannel = (name: string) => ({ $ref: `#/channels/socket/messages/${name}` });
const integer = { type: 'integer' };
const id = { type: ['string', 'number'], description: 'Chosen by the client; the reply carries the same id.' };

/** The AsyncAPI 3.0 document of `GET /api/ws`, generated from the declarations (API-4). */
export function asyncApi(): object {
  const schemas = wireSchemas('draft-07');
  const messages = [...eventNames.map((name) => `events.${name}`), 'request', 'reply', 'error'];
  return {
    asyncapi: '3.0.0',
    info: { title: 'Parley', version: `1.${featureLevel}`, description, license: { name: 'MIT' } },
    defaultContentType: 'application/json',
    servers: {
      service: {
        host: '{host}',
        protocol: 'wss',
        description: 'Use `ws` if the service is served over plain http.',
        variables: { host: { default: 'localhost:8080', description: 'Name and port of the service.' } },
        security: [{ $ref: '#/components/securitySchemes/token' }],
      },
    },
    channels: {
      socket: {
        address: '/api/ws',
        description:
          'A bad or missing token is 401 before the upgrade. The token may also be sent in the `authorization` header.',
        messages: Object.fromEntries(messages.map((name) => [name, message(name)])),
        bindings: { ws: { method: 'GET', query, bindingVersion: '0.1.0' } },
      },
    },
    operations: {
      sendEvents: {
        action: 'send',
        summary: 'Events, as they happen.',
        channel: { $ref: '#/channels/socket' },
        messages: eventNames.map((name) => ofChannel(`events.${name}`)),
      },
      answerRequests: {
        action: 'receive',
        summary: 'Requests, each with its reply.',
        channel: { $ref: '#/channels/socket' },
        messages: [ofChannel('request')],
        reply: { channel: { $ref: '#/channels/socket' }, messages: [ofChannel('reply'), ofChannel('error')] },
      },
    },
    components: {
      securitySchemes: { token: { type: 'httpApiKey', name: 'token', in: 'query' } },
      schemas: schemas.resources,
      messages: {
        ...Object.fromEntries(eventNames.map((name) => [`events.${name}`, event(name, schemas.event(name))])),
        request: rpc('Request', samples.socket.request, request),
        reply: rpc('Reply', samples.socket.reply, reply),
        error: rpc('Error reply', samples.socket.error, errorReply),
      },
    },
  };
}

function event(name: EventName, params: JsonSchema): object {
  const { summary, cap } = eventNotes[name];
  const sample = samples.events[name];
  const method = { const: `events.${name}` };
  const numbered = { seq: integer, prev: integer };
  const greeting = { head: integer, socket: { type: 'string', format: 'uuid' }, feature_level: integer };
  const rest = name === 'hello' ? greeting : name === 'tick' ? {} : numbered;
  const properties = { method, params, ...rest };
  return {
    name: `events.${name}`,
    title: `events.${name}`,
    summary,
    ...(cap && { 'x-cap': cap }),
    payload: { type: 'object', required: Object.keys(properties), properties },
    ...(sample && { examples: [{ payload: sample }] }),
  };
}

const rpc = (title: string, sample: object, payload: object): object => ({
  title,
  payload,
  correlationId: { location: '$message.payload#/id' },
  examples: [{ payload: sample }],
});

const query = {
  type: 'object',
  properties: {
    token: { type: 'string', description: 'An access token.' },
    caps: {
      type: 'string',
      description: 'Names of caps, separated by commas. A socket without caps receives everything.',
      'x-caps': caps,
    },
  },
};

/** Maps each method to the operation whose params it takes (see /openapi.json), and the fields it renames or fixes. */
const methods = Object.fromEntries(
  [...socketMethods].map(([method, { operation, rename, fixed }]) => {
    const { summary }: Operation = operations[operation];
    return [method, { operation, summary, ...(rename && { rename }), ...(fixed && { fixed }) }];
  }),
);

const request = {
  type: 'object',
  required: ['method'],
  properties: {
    id,
    method: { type: 'string', enum: [...socketMethods.keys()] },
    params: {
      type: 'object',
      description: 'The params of the operation, as in /openapi.json, under the names that the method gives them.',
    },
  },
  'x-methods': methods,
};

const reply = {
  type: 'object',
  required: ['ok'],
  properties: { id, ok: { const: true }, result: { description: 'The result of the operation, as in /openapi.json.' } },
};

const errorReply = {
  type: 'object',
  required: ['ok', 'error'],
  properties: {
    id,
    ok: { const: false },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { enum: Object.keys(errorStatus) },
        message: { type: 'string' },
        parameters: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
      },
    },
  },
};
