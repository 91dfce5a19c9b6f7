import {
  errorStatus,
  featureLevel,
  type Operation,
  type OperationName,
  operationNames,
  operations,
} from '@parley/protocol';
import { z } from 'zod';
import { Slice } from '../slices.ts';

const common = ['invalid_argument', 'unauthenticated', 'rate_limited', 'internal', 'unavailable'] as const;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  });
  return json;
};

function describe(name: OperationName): object {
  const { summary, input, result, errors, open }: Operation = operations[name];
  const codes = [...new Set([...common, ...errors])];
  const statuses = [...new Set(codes.map((code) => errorStatus[code]))].toSorted((a, b) => a - b);
  const success = {
    type: 'object',
    required: ['ok'],
    properties: { ok: { const: true }, ...(result && { result: schemaOf(result, 'output') }) },
  };
  const errorReply = (status: number) => ({
    description: codes.filter((code) => errorStatus[code] === status).join(', '),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  });
  return {
    operationId: name,
    summary,
    security: open ? [] : [{ token: [] }],
    requestBody: { content: { 'application/json': { schema: schemaOf(input, 'input') } } },
    responses: {
      200: { description: 'Done.', content: { 'application/json': { schema: success } } },
      ...Object.fromEntries(statuses.map((status) => [status, errorReply(status)])),
    },
  };
}

/** The OpenAPI 3.1 document, made of the declarations (API-1). */
export async function openApi(): Promise<object> {
  const paths: Record<string, object> = {};
  const slice = new Slice();
  for (const name of operationNames) {
    paths[`/api/${name}`] = { post: describe(name) };
    await slice.pause();
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Parley', version: `1.${featureLevel}`, description: 'A chat service for people and AI agents.' },
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Error: {
          type: 'object',
          required: ['ok', 'error_code', 'description'],
          properties: {
            ok: { const: false },
            error_code: { enum: Object.keys(errorStatus) },
            description: { type: 'string' },
            parameters: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
          },
        },
      },
    },
  };
}
