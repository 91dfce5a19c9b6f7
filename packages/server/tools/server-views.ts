import type { ToolServer } from '@parley/protocol';
import type { Sql } from '../store/sql.ts';
import { type ToolCredentialRow, toolCredentialOf, type ToolServerRow } from '../store/tool-servers.ts';
import { holderOf } from './credentials.ts';
import { listedTools, writesOf } from './owner-word.ts';
import type { Look } from './tool-servers.ts';

/** A server as everyone sees it who may see the agent (TOOL-4). */
export async function serverView(read: Sql, server: ToolServerRow, viewerKey: number): Promise<ToolServer> {
  const holder = await holderOf(read, server, viewerKey);
  const credential = holder === null ? undefined : await credentialAt(read, server, holder);
  const tail = holder === viewerKey ? credential?.tail : null;
  return {
    name: server.name,
    host: hostOf(server.url),
    identity: server.identity,
    auth: server.auth,
    approval: server.approval,
    has_credential: credential !== undefined,
    ...(tail !== null && tail !== undefined && { credential_tail: tail }),
  };
}

/** A server as its agent's owner sees it, with what it offers now (TOOL-4). */
export async function ownersView(read: Sql, look: Look, ownerKey: number): Promise<ToolServer> {
  const { server, state, listed, pins } = look;
  const said = listedTools(server);
  return {
    ...(await serverView(read, server, ownerKey)),
    url: server.url,
    ...(said && { tools: Array.from(said, ([name, writes]) => ({ name, writes })) }),
    state,
    offered: Array.from(listed.values(), ({ tool: { name, title, description }, hash }) => {
      const pin = pins.get(name);
      return {
        name,
        ...(title !== undefined && { title }),
        ...(description !== '' && { description }),
        writes: writesOf(server, name),
        confirmed: said?.has(name) === true && pin?.is_changed === 0 && pin.hash === hash,
      };
    }),
  };
}

async function credentialAt(read: Sql, server: ToolServerRow, holder: number): Promise<ToolCredentialRow | undefined> {
  const row = await read.get(toolCredentialOf, server.key, holder);
  return row?.origin === new URL(server.url).origin ? row : undefined;
}

/** The host as people know it: each origin has its own name. */
export function hostOf(url: string): string {
  const { protocol, host, origin } = new URL(url);
  return protocol === 'https:' ? host : origin;
}
