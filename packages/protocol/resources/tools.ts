// The MCP servers that agents use.
import { z } from 'zod';
import { label, optional } from '../fields.ts';
import { limits } from '../limits.ts';

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

export type ToolServerInput = z.output<typeof ToolServerInput>;
export type ToolServer = z.output<typeof ToolServer>;
