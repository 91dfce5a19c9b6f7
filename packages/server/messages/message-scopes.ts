import type { Emitted } from '../commits/effects.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { accountScope, chatScope, type Scope } from '../core/event-kinds.ts';
import { readersOfPrivate } from '../store/decisions.ts';
import { mark, type MessageRow } from '../store/messages.ts';
import type { Sql } from '../store/sql.ts';

type Placed = Pick<MessageRow, 'key' | 'chat_key' | 'marks'>;

export const isPrivate = ({ marks }: Pick<MessageRow, 'marks'>): boolean => (marks & mark.private) !== 0;

/** Who receives events about a message: the participants, or those for whom a private one exists (DECIDE-9). */
export async function scopesOf(tx: Sql, row: Placed): Promise<Scope[]> {
  if (!isPrivate(row)) return [chatScope(row.chat_key)];
  return (await tx.all(readersOfPrivate, row.key)).map(({ account_key }) => accountScope(account_key));
}

/** Emits an event about a message to those for whom it exists. */
export async function emitAbout(
  call: Pick<UnitCall, 'tx' | 'emit'>,
  row: Placed,
  event: Omit<Emitted, 'scope'>,
): Promise<void> {
  for (const scope of await scopesOf(call.tx, row)) call.emit({ ...event, scope });
}
