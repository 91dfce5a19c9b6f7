import { SteeredStore } from '@parley/testing/stores/steered-store.ts';
import { account, chat, chatAsItIs, household, type Lock, named } from '../../commits/lock-names.ts';
import type { UnitCall } from '../../commits/unit-call.ts';
import type { UnitHandler } from '../../commits/unit-context.ts';
import { isLock, username } from '../../commits/unit-locks.ts';
import { needsOf } from '../../commits/unit-needs.ts';
import { idBytes, idText } from '../../core/ids.ts';
import { unitHandlers } from '../../service/unit-handlers.ts';
import { statement } from '../../store/sql.ts';
import { forgetWritten, keepersOf, noteWrittenRows, writtenRows } from './written-rows.ts';

const chatOfMessage = statement<{ chat_id: Uint8Array; sender: string }, [id: Uint8Array]>(
  `SELECT c.id AS chat_id, a.username AS sender FROM messages m JOIN chats c ON c.key = m.chat_key
   JOIN accounts a ON a.key = m.sender_key WHERE m.id = $1`,
);
const parentOf = statement<{ parent: string | null }, [username: string]>(
  `SELECT p.username AS parent FROM accounts a LEFT JOIN accounts p ON p.key = a.parent_key WHERE a.username = $1`,
);

/** A store that compares what each unit writes with the locks that the unit declares. */
export class LockCoverage {
  /** Written rows that no lock of their unit covers, by unit. */
  readonly uncovered = new Set<string>();
  /** Units that have written rows. */
  readonly written = new Set<string>();
  /** The names of units that ran alone, in their order. */
  readonly alone: string[] = [];
  readonly store: SteeredStore;

  constructor(units: ReadonlyMap<string, UnitHandler> = unitHandlers) {
    const handlers = [...units].map(([name, handle]): [string, UnitHandler] => [
      name,
      async (call, input, prepared) => {
        const locks = await this.#locksOf(handle, { name, call, input, prepared });
        if (!locks) this.alone.push(name);
        await call.tx.run(forgetWritten);
        const result = await handle(call, input, prepared);
        await this.#compare(name, call, locks);
        return result;
      },
    ]);
    this.store = new SteeredStore(new Map(handlers), noteWrittenRows);
  }

  /** The locks as the PostgreSQL engine takes them; null for a unit that runs alone. */
  async #locksOf(
    handle: UnitHandler,
    { name, call, input, prepared }: { name: string; call: UnitCall; input: unknown; prepared: unknown },
  ): Promise<readonly Lock[] | null> {
    const needs = needsOf(handle, { id: 0, name, caller: call.caller, input, prepared, now: call.now });
    if (needs === 'all') return null;
    const locks = needs.filter(isLock);
    for (const need of needs) {
      if (isLock(need)) continue;
      const found = await call.tx.get(chatOfMessage, idBytes(need.messageId));
      if (!found) continue;
      const id = idText(found.chat_id);
      locks.push(need.isShared ? chatAsItIs(id) : chat(id));
      if (need.withSender) locks.push(household(found.sender));
    }
    return locks;
  }

  async #compare(name: string, { tx }: UnitCall, locks: readonly Lock[] | null): Promise<void> {
    const rows = await tx.all(writtenRows);
    if (rows.length > 0) this.written.add(name);
    if (!locks) return;
    const has = (wanted: Lock): boolean =>
      locks.some(({ id, isShared }) => id === wanted.id && (wanted.isShared || !isShared));
    const made = new Set<string>();
    for (const row of rows) {
      if (row.change === 'INSERT chats') made.add(`chat ${row.chat_key}`);
      if (row.change === 'INSERT accounts') made.add(`account ${row.name}`);
    }
    for (const row of rows) {
      const chatId = row.chat_id && idText(row.chat_id);
      const { username: owner, account_key: accountKey } = row;
      if (made.has(`chat ${row.chat_key}`) || made.has(`account ${owner}`)) continue;
      const parent = owner === null ? undefined : (await tx.get(parentOf, owner))?.parent;
      const isKept = keepersOf(row.change).some((keeper) => {
        switch (keeper) {
          case 'itself':
            return true;
          case 'chat':
            return chatId !== null && has(chat(chatId));
          case 'account':
            return accountKey !== null && has(account(accountKey));
          case 'household':
            return owner !== null && has(household(parent ?? owner));
          case 'username':
            return row.name !== null && (has(username(row.name)) || has(named(row.name)));
          default:
            return has(named(keeper.named, keeper.isShared));
        }
      });
      if (!isKept) this.uncovered.add(`${name}: ${row.change}`);
    }
  }
}
