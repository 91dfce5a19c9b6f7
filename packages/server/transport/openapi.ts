import {
  type ErrorCode,
  errorStatus,
  featureLevel,
  leastRole,
  type Operation,
  operationGroups,
  type OperationName,
  operationNames,
  operations,
  socketMethods,
} from '@parley/protocol';
import { samples } from '@parley/protocol/samples';
import { links, linksOf } from './links.ts';
import { type JsonSchema, wireSchemas } from './wire-schemas.ts';

/** Errors that every operation can return over HTTP, besides those it declares. */
const common = [
  'invalid_argument',
  'unauthenticated',
  'forbidden',
  'too_large',
  'unsupported_media_type',
  'rate_limited',
  'internal',
  'unavailable',
] as const satisfies ErrorCode[];

const description = `A chat service in which people and AI agents take part as equals.

Every operation is a \`POST\` with a JSON object (\`uploadFile\` with a form). A success is \`{ "ok": true, "result": … }\`, an error \`{ "ok": false, "error_code": …, "description": … }\`. Unknown fields are ignored, and \`null\` in a field marked \`x-null-is-absent\` is the same as its absence. Text lengths count UTF-8 bytes (\`x-max-bytes\`). The same operations are methods of the WebSocket (\`x-socket-methods\`), which /asyncapi.json describes. \`x-least-role\` is the least role in the service that may call an operation: every other caller gets 403.`;

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const everyReply = { 'x-request-id': ref('headers', 'RequestId'), 'cache-control': ref('headers', 'CacheControl') };

/** The OpenAPI 3.1 document, generated from the declarations (API-1). */
export function openApi(): object {
  const schemas = wireSchemas('draft-2020-12');
  const paths = Object.fromEntries(
    operationNames.map((name) => {
      const result = schemas.result(name);
      const { summary, policy }: Operation = operations[name];
      const post = {
        operationId: name,
        summary: titleOf(name),
        description: summary,
        tags: operationGroups.filter(({ names }) => names.includes(name)).map(({ title }) => title),
        security: policy.open ? [] : [{ token: [] }],
        ...(!policy.open && { 'x-least-role': leastRole(policy) }),
        'x-socket-methods': socketMethodsOf(name),
        requestBody: requestBody(name, schemas.input(name)),
        responses: { 200: success(name, result), ...errorReplies(name) },
      };
      return [`/api/${name}`, { post }];
    }),
  );
  return {
    openapi: '3.1.0',
    info: { title: 'Parley', version: `1.${featureLevel}`, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: operationGroups.map(({ title, about }) => ({ name: title, description: about })),
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: '`s_…` for a session, `mb_…` for a bot, `dev:<name>` if development tokens are enabled.',
        },
      },
      headers,
      links,
      schemas: { ...schemas.usedIn(paths), ApiError: errorSchema },
    },
  };
}

/** `Send message` for sendMessage. */
const titleOf = (name: OperationName): string => {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

/** The operation's socket methods; a dotted one may rename fields and fix the values of others. */
const socketMethodsOf = (name: OperationName): object[] =>
  [...socketMethods]
    .filter(([, { operation }]) => operation === name)
    .map(([method, { rename, fixed }]) => ({ name: method, ...(rename && { rename }), ...(fixed && { fixed }) }));

function requestBody(name: OperationName, schema: JsonSchema): object {
  const example = samples.operations[name]?.request;
  const { input, upload: isUpload }: Operation = operations[name];
  const isNeeded = !input.safeParse({}).success;
  const type = isUpload ? 'multipart/form-data' : 'application/json';
  return { required: isNeeded, content: { [type]: { schema, ...(example && { example }) } } };
}

function success(name: OperationName, result: JsonSchema | undefined): object {
  const example = samples.operations[name]?.reply;
  // If the result may be undefined, the reply may have no `result` field.
  const mayLack = operations[name].result?.safeParse(undefined).success !== false;
  const schema = {
    type: 'object',
    required: mayLack ? ['ok'] : ['ok', 'result'],
    properties: {
      ok: { const: true, description: 'the call succeeded' },
      ...(result && { result: { description: 'what the operation returns', ...result } }),
    },
  };
  const content = { 'application/json': { schema, ...(example && { example }) } };
  const following = linksOf(name, result);
  return {
    description: 'Done.',
    headers: everyReply,
    content,
    ...(Object.keys(following).length > 0 && { links: following }),
  };
}

/** All error codes of an operation, sorted by status. */
function errorCodesOf(name: OperationName): ErrorCode[] {
  const { errors }: Operation = operations[name];
  return [...new Set([...common, ...errors])].toSorted((one, other) => errorStatus[one] - errorStatus[other]);
}

function errorReplies(name: OperationName): object {
  const own = samples.operations[name]?.errors ?? {};
  const isCommon = new Set<ErrorCode>(common);
  const replies = errorCodesOf(name).map((code) => {
    const value = own[code] ?? (isCommon.has(code) ? samples.errors[code] : undefined);
    const content = { schema: ref('schemas', 'ApiError'), ...(value && { examples: { [code]: { value } } }) };
    const extra =
      code === 'rate_limited' || code === 'unavailable' ? { 'retry-after': ref('headers', 'RetryAfter') } : {};
    const reply = {
      description: `\`${code}\``,
      headers: { ...everyReply, ...extra },
      content: { 'application/json': content },
    };
    return [errorStatus[code], reply];
  });
  return Object.fromEntries(replies);
}

const headers = {
  RequestId: { description: 'Identifies the request in the logs of the service.', schema: { type: 'string' } },
  CacheControl: { description: 'Replies must not be cached.', schema: { type: 'string', const: 'no-store' } },
  RetryAfter: { description: 'Seconds, as `parameters.retry_after`.', schema: { type: 'integer', minimum: 1 } },
};

/** The details of an error, the same on both transports. */
export const errorParameters = {
  type: 'object',
  description:
    '`field`: the invalid field. `offset`: the length in bytes that the service has. `retry_after`: seconds to wait. `decision`: the Decision as it has ended.',
  additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'object' }] },
};

const errorSchema = {
  type: 'object',
  required: ['ok', 'error_code', 'description'],
  properties: {
    ok: { const: false, description: 'the call was refused' },
    error_code: {
      type: 'string',
      enum: Object.keys(errorStatus),
      description: 'the kind of error, which clients act on',
    },
    description: { type: 'string', description: 'what is wrong, for developers' },
    parameters: errorParameters,
  },
};
