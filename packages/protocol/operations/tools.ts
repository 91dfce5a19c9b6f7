import { z } from 'zod';
import { cursor, isoTime, label, limit, optional, username, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { toolStatus } from '../parts.ts';
import { Message, ToolCall, ToolGrant, ToolServer, ToolServerInput } from '../resources.ts';

const server = { username: username(), server: label(32).describe('the name of the server') };
const access = ['not_found', 'forbidden'] as const;

export const toolOperations = {
  setAgentTools: operation({
    since: 13,
    summary:
      "Sets the MCP servers whose tools the caller's agent may use, instead of those before, also if one cannot be reached now. What they say of their tools is pinned when it is listed for the first time after this call. Credentials stay as long as a server keeps its name, the origin of its address, its `identity` and its `auth`.",
    policy: { scope: 'manage', rate: 'writes' },
    input: z.object({
      username: username(),
      servers: z
        .array(ToolServerInput)
        .max(limits.toolServers)
        .refine((servers) => new Set(servers.map(({ name }) => name)).size === servers.length, 'names a server twice')
        .describe('the servers from now on'),
    }),
    result: z.object({ servers: z.array(ToolServer).describe('the servers as getToolServers shows them') }),
    errors: access,
  }),
  getToolServers: operation({
    since: 13,
    summary:
      'The MCP servers of an agent. Its owner sees everything, and what each server offers now; others who may see the agent see which servers there are.',
    policy: { scope: 'read', rate: 'writes', guests: true },
    input: z.object({ username: username() }),
    result: z.object({ items: z.array(ToolServer) }),
    errors: access,
  }),
  setToolCredential: operation({
    since: 13,
    summary:
      "Sets the caller's token for a server of an agent: for calls that the caller asks for, or, by the owner of a server with `identity` `owner`, for all. It is stored encrypted, sent to the origin of the server's address only, and never returned.",
    policy: { scope: null, rate: 'writes', guests: true },
    input: z.object({ ...server, token: label(limits.settingBytes).describe('the token, as the server issued it') }),
    result: z.object({ credential_tail: z.string().describe('its last four characters, the others masked') }),
    errors: access,
  }),
  removeToolCredential: operation({
    since: 13,
    summary: "Removes the caller's credential for a server of an agent.",
    policy: { scope: null, rate: 'endsAccess', guests: true },
    input: z.object(server),
    result: null,
    errors: access,
  }),
  shareToolCall: operation({
    since: 13,
    summary:
      'Shows everybody what a call of a tool was asked and has answered, as `input` and `output` of its part. Only the person who asked for the reply can do it; until then nobody else gets them.',
    policy: { scope: null, rate: 'writes', guests: true },
    input: z.object({
      message_id: uuid(),
      part_id: label(limits.partIdBytes).describe('the part that shows the call'),
    }),
    result: Message,
    errors: ['not_found', 'forbidden', 'conflict', 'too_large'],
  }),
  getToolCalls: operation({
    since: 14,
    summary:
      "The calls of tools of the last 90 days that agents made or wanted to make for the caller, and those that used the caller's account because the caller owns the agent; newest first, for people only. Only the person who asked sees what a call was given and has answered.",
    policy: { scope: 'read', rate: 'none', guests: true },
    input: z.object({
      status: optional(toolStatus).describe('only calls with this status'),
      agent_username: optional(username()).describe('only calls of this agent'),
      limit: limit(limits.listPage, limits.listPageDefault),
      cursor: cursor(),
    }),
    result: z.object({ items: z.array(ToolCall), next_cursor: z.string().optional() }),
    errors: ['forbidden'],
  }),
  getToolGrants: operation({
    since: 14,
    summary:
      'What the caller has allowed agents beyond single calls: in one conversation, or always. An answer for everywhere stands for those in single conversations too. For people only.',
    policy: { scope: 'read', rate: 'none', guests: true },
    input: z.object({ limit: limit(limits.listPage, limits.listPageDefault), cursor: cursor() }),
    result: z.object({ items: z.array(ToolGrant), next_cursor: z.string().optional() }),
    errors: ['forbidden'],
  }),
  revokeToolGrant: operation({
    since: 14,
    summary:
      'Takes back what the caller has allowed: from now on such calls ask again, and one that was allowed by it and is not sent yet is denied. Of an answer for everywhere this includes those about the same tool in single conversations.',
    policy: { scope: 'manage', rate: 'endsAccess', guests: true },
    input: z.object({ grant_id: uuid().describe('as getToolGrants names it') }),
    result: null,
    errors: ['not_found', 'forbidden'],
  }),
  startToolLogin: operation({
    since: 13,
    summary:
      "Begins the caller's login to a server of an agent with `auth` `oauth`: the page at `url` asks the person, and leads back to the service, which keeps what it gets as setToolCredential does.",
    policy: { scope: null, rate: 'writes', guests: true },
    input: z.object(server),
    result: z.object({
      url: z.string().describe('the address to open in a browser'),
      expires_at: isoTime().describe('until when the login can be completed'),
    }),
    errors: access,
  }),
} as const;
