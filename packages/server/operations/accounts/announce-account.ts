import type { UnitCall } from '../../call.ts';
import { accountScope, chatScope } from '../../events/kinds.ts';
import { RawJson } from '../../json.ts';
import { accountJson } from '../../store/accounts.ts';
import { chatKeysOf } from '../../store/chats.ts';

/** An account looks another way from now on: to those who ask, in what follows, and to those who are told (EXT-6). */
export async function accountChanged(call: UnitCall, accountKey: number): Promise<void> {
  call.tx.accountJson.delete(accountKey);
  call.intend({ type: 'accountChanged', accountKey });
  await announceAccount(call, accountKey);
}

/** Tells an account's own devices, and everyone it shares a conversation with, how it looks now (EXT-6). */
export async function announceAccount(call: UnitCall, accountKey: number): Promise<void> {
  const params = new RawJson(await accountJson(call.tx, accountKey));
  const scopes = [accountScope(accountKey)];
  for (const { chat_key } of await call.tx.all(chatKeysOf, accountKey)) scopes.push(chatScope(chat_key));
  for (const scope of scopes) call.emit({ scope, kind: 'accountUpdated', ref: accountKey, params });
}
