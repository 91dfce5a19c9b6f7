import { isUuid } from '@parley/protocol';
import type { AccessGrant } from '../access/call.ts';
import type { Clock } from '../core/clock.ts';
import { notFound } from '../core/errors.ts';
import { idBytes } from '../core/ids.ts';
import { fileInChats } from '../store/access-tokens.ts';
import type { Sql } from '../store/sql.ts';
import { assertTokenMayCall } from './token-scopes.ts';

/** Access tokens read files as they read messages: with the scope for it, in their conversations (ACCESS-6, ACCESS-8). */
export async function assertTokenMayRead(
  { read, clock }: { read: Sql; clock: Pick<Clock, 'now'> },
  grant: AccessGrant,
  { id, accountKey }: { id: string; accountKey: number },
): Promise<void> {
  assertTokenMayCall('getMessages', grant, clock.now());
  if (!grant.chatIds || !isUuid(id)) return;
  if ((await read.list(fileInChats, grant.chatIds.map(idBytes), idBytes(id), accountKey)).length === 0)
    throw notFound('file');
}
