// The tools of /mcp: the operations that make sense for a model, with the schemas of their declarations (MCPS-4).
import { fieldNotes, type Operation, type OperationName, operations } from '@parley/protocol';
import { z } from 'zod';
import type { AccessGrant } from '../../access/call.ts';

const offered = [
  // Who and where.
  ...(['getMe', 'getUser', 'getUsers', 'getPresence', 'getChats', 'searchChats', 'getChat', 'getMembers'] as const),
  // What was written, and what waits for the person.
  ...(['getChatHistory', 'getMessages', 'searchMessages', 'getChatMedia', 'getUnreadMentions', 'getInbox'] as const),
  ...(['getPollVotes', 'getDrafts', 'getScheduledMessages', 'getSchedules', 'getReminders', 'getGroupAgents'] as const),
  // Writing.
  ...(['sendMessage', 'editMessage', 'deleteMessages', 'forwardMessages', 'setMessageReaction'] as const),
  ...(['pinMessage', 'unpinMessage', 'votePoll', 'closePoll', 'markRead', 'setInboxDone', 'saveDraft'] as const),
  ...(['scheduleMessage', 'cancelScheduledMessage', 'stopRun'] as const),
  // Managing.
  ...(['startChat', 'addMembers', 'removeMember', 'setChatTitle', 'setChatDescription', 'createChannel'] as const),
  ...(['setChatNotifications', 'setChatState', 'addGroupAgent', 'removeGroupAgent', 'setStatus'] as const),
  ...(['createSchedule', 'pauseSchedule', 'deleteSchedule', 'remindMe', 'cancelReminder'] as const),
] as const satisfies readonly OperationName[];

export type ToolName = (typeof offered)[number];
const names: ReadonlySet<string> = new Set(offered);
export const isToolName = (name: string): name is ToolName => names.has(name);

export interface OfferedTool {
  name: ToolName;
  description: string;
  inputSchema: { type: 'object'; [keyword: string]: unknown };
  annotations: { title: string; readOnlyHint?: true };
}

const made = new Map<ToolName, OfferedTool>();

/** The tools of the token's scopes. */
export const toolsOf = ({ scopes, chatIds }: AccessGrant): OfferedTool[] =>
  offered
    .filter((name) => {
      const { scope }: Operation['policy'] = operations[name].policy;
      // No token that is for certain conversations may start another one (ACCESS-8).
      return scope !== null && scopes.includes(scope) && !(chatIds && name === 'startChat');
    })
    .map((name) => made.get(name) ?? make(name));

function make(name: ToolName): OfferedTool {
  const { summary, input, policy }: Operation = operations[name];
  const tool: OfferedTool = {
    name,
    description: summary,
    inputSchema: schemaOf(input),
    // getChatHistory: Get chat history.
    annotations: { title: titleOf(name), ...(policy.scope === 'read' && { readOnlyHint: true as const }) },
  };
  made.set(name, tool);
  return tool;
}

function titleOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function schemaOf(input: z.ZodType): OfferedTool['inputSchema'] {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  const notes: Readonly<Record<string, unknown>> = fieldNotes;
  const described = Object.entries(schema.properties ?? {}).map(([field, property]) => {
    const note = notes[field];
    const isBare = typeof property === 'object' && property.description === undefined && typeof note === 'string';
    return [field, isBare ? { ...property, description: note } : property];
  });
  return { ...schema, type: 'object', properties: Object.fromEntries(described) };
}
