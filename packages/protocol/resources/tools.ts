// The MCP servers that agents use.
import { z } from 'zod';
import { isoTime, label, optional } from '../fields.ts';
import { limits } from '../limits.ts';
import { toolStatus } from '../parts.ts';
import { Actor } from './accounts.ts';

const serverName = z
  .string()
  .regex(/^[a-z0-9-]{1,32}$/, 'must be 1 to 32 of a-z, 0-9 and -')
  .describe('the name of the server among those of the agent');

const identity = z
  .enum(['asker', 'owner', 'none'])
  .describe("with whose credential its tools are called: that of the person who asks, the owner's, or none");
const auth = z
  .enum(['none', 'bearer', 'oauth'])
  .describe('how it knows who calls: not at all, by a token, or by signing in (OAuth)');
const approval = z
  .enum(['never', 'writes', 'always'])
  .describe('which calls ask the person first: none, those that may change something, or all');

const ListedTool = z.object({
  name: label(limits.toolNameBytes).describe("the tool's own name"),
  writes: z.boolean().describe('false: a call of it changes nothing, by the word of the owner'),
});

/** A server as setAgentTools takes it. */
export const ToolServerInput = z
  .object({
    name: serverName,
    url: label(limits.baseUrlBytes).describe('its address; https, unless the operator allows more'),
    identity,
    auth,
    approval,
    tools: optional(z.array(ListedTool).max(limits.listedTools)).describe(
      'the tools that the model may use; all of them if it is absent, each as one that may change something',
    ),
  })
  .refine(({ tools = [] }) => new Set(tools.map(({ name }) => name)).size === tools.length, {
    path: ['tools'],
    message: 'names a tool twice',
  });

const toOwner = (description: string) => ({ description: `${description}; only if the caller is the owner` });

/** A server as one account may see it. */
export const ToolServer = z.object({
  name: serverName,
  host: z.string().describe('its host; after `http://` if the connection is not encrypted'),
  identity,
  auth,
  approval,
  has_credential: z
    .boolean()
    .describe("whether there is a credential for calls of the caller: the caller's own, or that of the owner"),
  credential_tail: z.string().optional().describe("the last characters of the caller's own token"),
  url: z.string().optional().meta(toOwner('its address')),
  tools: z.array(ListedTool).optional().meta(toOwner('what the owner has said of its tools')),
  state: z
    .enum(['ok', 'changed', 'unreachable', 'login', 'off'])
    .optional()
    .meta(
      toOwner(
        'what it is like now: `changed`: it describes some of its tools differently than after setAgentTools, and these are not offered; `login`: a credential is missing or refused; `off`: the operator does not allow its address',
      ),
    ),
  offered: z
    .array(
      z.object({
        name: z.string().describe("the tool's own name"),
        title: z.string().optional().describe('its name for people'),
        description: z.string().optional().describe('what it does, in the words of its server'),
        writes: z.boolean().describe('whether a call of it counts as one that may change something'),
        confirmed: z.boolean().describe('whether the owner has listed it, and its description is still the same'),
      }),
    )
    .optional()
    .meta(toOwner('the tools that it lists now')),
});

const toAsker = (description: string) => ({ description: `${description}; only if the caller asked for it` });

/** A call of a tool that was made for an account, or with its account at the tool's server. */
export const ToolCall = z.object({
  call_id: z.string().describe('the call, as the part of the reply names it'),
  agent: Actor.describe('the agent that made it'),
  asker: Actor.describe('the person for whom it was made'),
  server: z.string().describe("the server's name"),
  host: z.string().describe('where it is; after `http://` if the connection is not encrypted'),
  tool: z.string().describe("the tool's own name"),
  title: z.string().optional().describe('what the tool does, for people'),
  as: identity.describe("with whose credential: the asker's, that of the owner of the agent, or none"),
  writes: z.boolean().describe('false only if the owner of the agent says that it only reads'),
  status: toolStatus,
  asked_at: isoTime().describe('when the agent wanted it'),
  sent_at: isoTime().optional().describe('when it was sent; absent if it was not'),
  ended_at: isoTime().optional().describe('when it ended'),
  conversation_id: z.string().optional().describe('where the reply is; absent if the caller cannot read it any more'),
  message_id: z.string().optional().describe('the reply; absent if the caller cannot read it any more'),
  decided_by: z.string().optional().meta(toAsker('username of who decided about it')),
  decided_at: isoTime().optional().meta(toAsker('when it was decided')),
  option: z.string().optional().meta(toAsker('what was chosen: `decline`, `once`, `chat` or `always`')),
  reads_to: z
    .array(z.string())
    .optional()
    .meta(toAsker('usernames of those who were named as readers of the reply, at most 50 of `readers`')),
  readers: z.number().optional().meta(toAsker('how many they were')),
  arguments: z
    .record(z.string(), z.unknown())
    .optional()
    .meta(toAsker('what it was called with, as long as it is kept')),
  result: z.string().optional().meta(toAsker('what it returned, as long as it is kept')),
  left_out: z
    .literal(true)
    .optional()
    .meta(toAsker('`arguments` and `result` are left out of this answer: getMessages of its reply alone has them')),
});

/** What a person has allowed beyond one call. */
export const ToolGrant = z.object({
  grant_id: z.string().describe('what revokeToolGrant names'),
  agent: Actor.describe('the agent that may call the tool'),
  server: z.string().describe("the server's name"),
  host: z.string().optional().describe('where it is; absent if the agent has no such server now'),
  tool: z.string().describe("the tool's own name"),
  title: z.string().optional().describe('what the tool does, for people'),
  where: z.enum(['chat', 'always']).describe('`chat`: in this conversation; `always`: everywhere'),
  conversation_id: z.string().optional().describe('of `chat`: the conversation'),
  granted_at: isoTime().describe('when it was allowed'),
  used_at: isoTime().optional().describe('when it last allowed a call; absent if it has not'),
});

export type ToolCall = z.output<typeof ToolCall>;
export type ToolGrant = z.output<typeof ToolGrant>;
export type ToolServerInput = z.output<typeof ToolServerInput>;
export type ToolServer = z.output<typeof ToolServer>;
