import type { UnitCall } from '../commits/unit-call.ts';
import { accountScope, chatScope } from '../core/event-kinds.ts';
import { RawJson } from '../core/json.ts';
import { accountJson, callerActor } from '../rendering/accounts.ts';
import { chatsToNotify } from '../store/chats.ts';

/** Publishes an account's changed record, and makes caches and later events show it (EXT-6). */
export async function accountChanged(call: UnitCall, accountKey: number): Promise<void> {
  call.accounts.forget(accountKey);
  call.intend({ type: 'accountChanged', accountKey, actor: await callerActor(call.tx, { key: accountKey }) });
  await announceAccount(call, accountKey);
}

/** Maximum number of conversations that get the event, newest activity first: a bot may be in a hundred thousand. */
const NOTIFIED_CHATS = 200;

/** Sends an account's current record to its own devices and to its conversations (EXT-6). */
async function announceAccount(call: UnitCall, accountKey: number): Promise<void> {
  const params = new RawJson(await accountJson(call, accountKey));
  const scopes = [accountScope(accountKey)];
  for (const { key } of await call.tx.all(chatsToNotify, accountKey, NOTIFIED_CHATS)) scopes.push(chatScope(key));
  for (const scope of scopes) call.emit({ scope, kind: 'accountUpdated', ref: accountKey, params });
}
