import { type Operation, type OperationName, operations } from '@parley/protocol';
import { z } from 'zod';
import type { JsonSchema } from './wire-schemas.ts';

type Body = Readonly<Record<string, unknown>>;

const result = (field: string): string => `{$response.body#/result/${field}}`;
const request = (field: string): string => `{$request.body#/${field}}`;
/** As text, with expressions in it: openapi-generator takes no other form. */
const bodyOf = (fields: Body): string => JSON.stringify(fields);

const message = { message_id: result('id') };
const chat = { chat_id: result('id') };
const scheduled = { chat_id: result('chat_id'), scheduled_id: result('id') };

/** By resource: the operations that take what an answer of this resource names, and the fields of their bodies. */
const byResource: Readonly<Record<string, Partial<Record<OperationName, Body>>>> = {
  Message: {
    editMessage: message,
    setMessageReaction: message,
    deleteMessages: { message_ids: [result('id')] },
    getChatHistory: { chat_id: result('conversation_id'), around: result('id') },
  },
  Conversation: { getChat: chat, sendMessage: chat, getChatHistory: chat },
  Agent: { getAgent: { username: result('username') }, startChat: { username: result('username') } },
  UploadedFile: { sendMessage: { attachments: [{ id: result('id') }] } },
  Invite: { getInvite: { token: result('token') }, revokeInvite: { invite_id: result('id') } },
  ScheduledMessage: { editScheduledMessage: scheduled, sendScheduledMessage: scheduled },
  Reminder: { cancelReminder: { reminder_id: result('id') } },
};

const idOf = (resource: string, name: string): string => `${resource}.${name}`;

/** `components.links` (API-13). */
export const links: object = Object.fromEntries(
  Object.entries(byResource).flatMap(([resource, following]) =>
    Object.entries(following).map(([operationId, fields]) => [
      idOf(resource, operationId),
      { operationId, requestBody: bodyOf(fields), description: `${operationId} of this ${resource}` },
    ]),
  ),
);

/** The links of an operation's answer: what one calls with it, or the next page. */
export function linksOf(name: OperationName, schema: JsonSchema | undefined): object {
  const reference = schema?.['$ref'];
  const resource = typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : '';
  const found = Object.keys(byResource[resource] ?? {}).map((operationId) => [
    operationId,
    { $ref: `#/components/links/${idOf(resource, operationId)}` },
  ]);
  return Object.fromEntries([...found, ...(isPaged(name) ? [['nextPage', nextPage(name)]] : [])]);
}

const isPaged = (name: OperationName): boolean => 'cursor' in operations[name].input.shape;

function nextPage(name: OperationName): object {
  const { input }: Operation = operations[name];
  const fields = input instanceof z.ZodObject ? Object.entries<z.ZodType>(input.shape) : [];
  const required = fields.flatMap(([field, schema]) => (schema.safeParse(undefined).success ? [] : [field]));
  return {
    operationId: name,
    description: 'The next page, if there is one: with the same fields and its cursor',
    requestBody: bodyOf({
      ...Object.fromEntries(required.map((field) => [field, request(field)])),
      cursor: result('next_cursor'),
    }),
  };
}
