import {
  capOf,
  caps,
  errorStatus,
  eventDeclarations,
  type EventName,
  eventNames,
  featureLevel,
  type Operation,
  operations,
  socketMethods,
} from '@parley/protocol';
import { samples } from '@parley/protocol/samples';
import { errorParameters } from './openapi.ts';
import { type JsonSchema, wireSchemas } from './wire-schemas.ts';

const description = `The WebSocket of Parley: clients send requests, the service sends replies and events. Every frame is JSON text.

A request calls any operation of /openapi.json, by its own name or a dotted one. \`seq\` is a counter of the whole service: jumps are normal. \`prev\` is the \`seq\` of the previous frame sent to this account; if it is greater than the last \`seq\` the client handled, frames were skipped, and \`getUpdates\` returns them. A frame whose \`seq\` equals its \`prev\` is outside the log: always handle it, and leave your position unchanged.`;

const tags = [{ name: 'WebSocket', description: 'Events, and calls of operations, on one connection.' }];
const message = (name: string) => ({ $ref: `#/components/messages/${name}` });
const ofChannel = (name: string) => ({ $ref: `#/channels/socket/messages/${name}` });
const integer = (meaning: string) => ({ type: 'integer', description: meaning });
const id = { type: ['string', 'number'], description: 'chosen by the client; the reply carries the same id' };

/** The AsyncAPI 3.0 document of `GET /api/ws`, generated from the declarations (API-4). */
export function asyncApi(): object {
  const schemas = wireSchemas('draft-07');
  const payloads = {
    ...Object.fromEntries(eventNames.map((name) => [payloadOf(name), payload(name, schemas.event(name))])),
    Request: request,
    Reply: reply,
    ErrorReply: errorReply,
  };
  const messages = [...eventNames.map((name) => `events.${name}`), 'request', 'reply', 'error'];
  return {
    asyncapi: '3.0.0',
    info: { title: 'Parley', version: `1.${featureLevel}`, description, license: { name: 'MIT' }, tags },
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
        description: 'A client reads the frames in their order, and those that it missed with `getUpdates`.',
        channel: { $ref: '#/channels/socket' },
        messages: eventNames.map((name) => ofChannel(`events.${name}`)),
      },
      answerRequests: {
        action: 'receive',
        summary: 'Requests, each with its reply.',
        description: 'A request may be sent before the reply to the one before it has come; replies name the `id`.',
        channel: { $ref: '#/channels/socket' },
        messages: [ofChannel('request')],
        reply: { channel: { $ref: '#/channels/socket' }, messages: [ofChannel('reply'), ofChannel('error')] },
      },
    },
    components: {
      securitySchemes: { token: { type: 'httpApiKey', name: 'token', in: 'query' } },
      schemas: { ...schemas.usedIn(payloads), ...payloads },
      messages: {
        ...Object.fromEntries(eventNames.map((name) => [`events.${name}`, event(name)])),
        request: rpc('Request', 'A call of an operation.', samples.socket.request),
        reply: rpc('Reply', 'What an operation has answered.', samples.socket.reply),
        error: rpc('ErrorReply', 'A call was refused.', samples.socket.error),
      },
    },
  };
}

/** The schema of an event's frame: `TypingEvent` of `events.typing`. */
const payloadOf = (name: EventName): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}Event`;
const schemaNamed = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function payload(name: EventName, params: JsonSchema): object {
  const method = { type: 'string', const: `events.${name}`, description: 'the name of the event' };
  const rest = name === 'hello' ? greeting : name === 'tick' ? {} : numbered;
  const properties = { method, params: { description: 'what the event says', ...params }, ...rest };
  return { type: 'object', required: Object.keys(properties), properties };
}

function event(name: EventName): object {
  const { summary } = eventDeclarations[name];
  const cap = capOf(name);
  const sample = samples.events[name];
  return {
    name: `events.${name}`,
    title: `events.${name}`,
    summary,
    ...(cap && { 'x-cap': cap }),
    payload: schemaNamed(payloadOf(name)),
    ...(sample && { examples: [{ payload: sample }] }),
  };
}

const numbered = {
  seq: integer('the number of the frame in the update log'),
  prev: integer('the `seq` of the frame before it that was sent to the account'),
};
const greeting = {
  head: integer("the newest `seq` of the account's update log"),
  socket: { type: 'string', format: 'uuid', description: 'the id of this socket, for wsFocus and getUpdates' },
  feature_level: integer('grows when operations, fields or caps are added'),
};

const rpc = (name: string, summary: string, sample: object): object => ({
  name,
  title: name,
  summary,
  payload: schemaNamed(name),
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
    method: { type: 'string', enum: [...socketMethods.keys()], description: 'an operation, or a dotted method' },
    params: {
      type: 'object',
      description: 'the params of the operation, as in /openapi.json, under the names that the method gives them',
    },
  },
  'x-methods': methods,
};

const reply = {
  type: 'object',
  required: ['ok'],
  properties: {
    id,
    ok: { const: true, description: 'the call succeeded' },
    result: { description: 'the result of the operation, as in /openapi.json' },
  },
};

const errorReply = {
  type: 'object',
  required: ['ok', 'error'],
  properties: {
    id,
    ok: { const: false, description: 'the call was refused' },
    error: {
      type: 'object',
      description: 'the error, as over HTTP',
      required: ['code', 'message'],
      properties: {
        code: {
          type: 'string',
          enum: Object.keys(errorStatus),
          description: 'the kind of error, which clients act on',
        },
        message: { type: 'string', description: 'what is wrong, for developers' },
        parameters: errorParameters,
      },
    },
  },
};
