// The declarations of all operations, one file per group: input, result, errors and methods of each.
import type { z } from 'zod';
import type { Operation } from '../operation.ts';
import { accessTokenOperations } from './access-tokens.ts';
import { accountOperations } from './accounts.ts';
import { administrationOperations } from './administration.ts';
import { agentOperations } from './agents.ts';
import { auditOperations } from './audit.ts';
import { backendOperations } from './backends.ts';
import { botConfigOperations } from './bot-config.ts';
import { conversationOperations } from './conversations.ts';
import { customAgentOperations } from './custom-agents.ts';
import { decisionOperations } from './decisions.ts';
import { draftOperations } from './drafts.ts';
import { emojiOperations } from './emoji.ts';
import { fileOperations } from './files.ts';
import { inboxOperations } from './inbox.ts';
import { interactionOperations } from './interactions.ts';
import { inviteOperations } from './invites.ts';
import { messageOperations } from './messages.ts';
import { noteOperations } from './notes.ts';
import { sourceOperations } from './sources.ts';
import { notificationOperations } from './notifications.ts';
import { peopleOperations } from './people.ts';
import { pollOperations } from './polls.ts';
import { programOperations } from './programs.ts';
import { reportOperations } from './reports.ts';
import { scheduledOperations } from './scheduled.ts';
import { instanceOperations } from './instance.ts';
import { secondFactorOperations } from './second-factor.ts';
import { toolOperations } from './tools.ts';
import { updateOperations } from './updates.ts';
import { usageOperations } from './usage.ts';
import { userGroupOperations } from './user-groups.ts';
import { webhookOperations } from './webhooks.ts';

export const operations = {
  ...accountOperations,
  ...accessTokenOperations,
  ...programOperations,
  ...peopleOperations,
  ...secondFactorOperations,
  ...administrationOperations,
  ...backendOperations,
  ...conversationOperations,
  ...inviteOperations,
  ...messageOperations,
  ...pollOperations,
  ...decisionOperations,
  ...scheduledOperations,
  ...emojiOperations,
  ...fileOperations,
  ...draftOperations,
  ...inboxOperations,
  ...agentOperations,
  ...customAgentOperations,
  ...interactionOperations,
  ...botConfigOperations,
  ...notificationOperations,
  ...updateOperations,
  ...instanceOperations,
  ...usageOperations,
  ...webhookOperations,
  ...toolOperations,
  ...noteOperations,
  ...sourceOperations,
  ...userGroupOperations,
  ...auditOperations,
  ...reportOperations,
} as const;

export type OperationName = keyof typeof operations;
/** What a handler receives: the parsed input. */
export type Input<Name extends OperationName> = z.output<(typeof operations)[Name]['input']>;
/** What a caller passes: before defaults and transforms. */
export type Params<Name extends OperationName> = z.input<(typeof operations)[Name]['input']>;
/** What the operation answers in `result`; undefined if it answers `{ ok: true }` alone. */
export type Result<Name extends OperationName> = (typeof operations)[Name]['result'] extends z.ZodType
  ? z.output<NonNullable<(typeof operations)[Name]['result']>>
  : undefined;

export const operationNames = Object.keys(operations) as OperationName[]; // keys of a constant: complete by construction

export interface SocketMethod {
  operation: OperationName;
  rename?: Readonly<Record<string, string>>;
  fixed?: Readonly<Record<string, unknown>>;
}

/** Every method that a socket can call: each operation's own name and the dotted methods of the interface. */
export const socketMethods: ReadonlyMap<string, SocketMethod> = new Map(
  operationNames.flatMap((name): [string, SocketMethod][] => {
    const { methods = [] }: Operation = operations[name];
    return [
      [name, { operation: name }],
      ...methods.map(({ name: method, rename, fixed }): [string, SocketMethod] => [
        method,
        { operation: name, ...(rename && { rename }), ...(fixed && { fixed }) },
      ]),
    ];
  }),
);

/**
 * The socket method's params under the operation's own names. If a field is given under both names, the operation's own
 * wins.
 */
export function ownNames(method: SocketMethod, params: Record<string, unknown>): Record<string, unknown> {
  const { rename, fixed } = method;
  if (!rename && !fixed) return params;
  // No field is deleted from a copy: V8 reads such an object slowly from then on, and it is read several times.
  const own: Record<string, unknown> = {};
  for (const field of Object.keys(params)) {
    // No declared field; to set it would change the prototype.
    if (field === '__proto__') continue;
    const name = rename && Object.hasOwn(rename, field) ? rename[field] : undefined;
    own[name === undefined || Object.hasOwn(params, name) ? field : name] = params[field];
  }
  return fixed ? Object.assign(own, fixed) : own;
}
