import type { UnitCall } from '../commits/unit-call.ts';
import { accountScope, chatScope } from '../core/event-kinds.ts';
import { RawJson } from '../core/json.ts';
import { accountJson, callerActor } from '../store/accounts.ts';
import { ownChats } from '../store/chats.ts';

/** An account looks another way from now on: to those who ask, in what follows, and to those who are told (EXT-6). */
export async function accountChanged(call: UnitCall, accountKey: number): Promise<void> {
  call.tx.accountJson.delete(accountKey);
  call.intend({ type: 'accountChanged', accountKey, actor: await callerActor(call.tx, { key: accountKey }) });
  await announceAccount(call, accountKey);
}

/** Told are those of so many conversations, the ones with the newest activity: a bot may be in a hundred thousand. */
const TOLD_CHATS = 200;

/** Tells an account's own devices, and those it shares a conversation with, how it looks now (EXT-6). */
export async function announceAccount(call: UnitCall, accountKey: number): Promise<void> {
  const params = new RawJson(await accountJson(call.tx, accountKey));
  const scopes = [accountScope(accountKey)];
  const newest = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const;
  for (const { key } of await call.tx.all(ownChats, accountKey, ...newest, TOLD_CHATS)) scopes.push(chatScope(key));
  for (const scope of scopes) call.emit({ scope, kind: 'accountUpdated', ref: accountKey, params });
}
