import { idBytes } from '../core/ids.ts';
import { chatKeysOf } from '../store/access-tokens.ts';
import type { Sql } from '../store/sql.ts';
import type { AccessGrant } from './call.ts';

interface Conversations {
  readonly chats: ReadonlySet<number>;
  readonly ids: ReadonlySet<string>;
}
const none: Conversations = { chats: new Set(), ids: new Set() };

/** The only conversations that exist for an access token (ACCESS-8); undefined for all. */
export async function conversationsOf(read: Sql, { chatIds }: AccessGrant): Promise<Conversations | undefined> {
  if (!chatIds) return undefined;
  const rows = await read.list(chatKeysOf, chatIds.map(idBytes));
  return { chats: new Set(rows.map(({ key }) => key)), ids: new Set(chatIds) };
}

/** The only conversations whose events its sockets receive: none without the scope `read` (ACCESS-9). */
export const eventsOf = async (read: Sql, grant: AccessGrant): Promise<Conversations | undefined> =>
  grant.scopes.includes('read') ? conversationsOf(read, grant) : none;
