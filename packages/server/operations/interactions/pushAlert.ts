import { nothing } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { forbidden, invalid } from '../../core/errors.ts';
import { isReservedName, RESERVED } from '../../rules/reserved-names.ts';
import { accountScope } from '../../core/event-kinds.ts';
import { callerActor } from '../../rendering/accounts.ts';
import { requireAccount } from '../../access/known-agents.ts';
import { hasBlocked } from '../../store/blocks.ts';
import { conversationsOf } from '../../access/grant-conversations.ts';
import { sharedChat, sharedChatAmong } from '../../store/chats.ts';

export default unit('pushAlert', { locks: nothing }, async (call, { to_username, text, title, level = 'info' }) => {
  const { tx, caller } = call;
  const from = await callerActor(tx, caller);
  // An operator's account with such a name may use it in its alerts too.
  if (isReservedName(title ?? '') && !isReservedName(from.display_name)) throw invalid('title', RESERVED);
  const recipient = await requireAccount(call, to_username);
  const within = caller.grant && (await conversationsOf(tx, caller.grant));
  const shared = within
    ? (await tx.list(sharedChatAmong, [...within.chats], caller.key, recipient.key))[0]
    : await tx.get(sharedChat, caller.key, recipient.key);
  if (!shared) throw forbidden('you share no conversation with this account');
  // A blocked caller must not learn of the block (BLOCK-4).
  if (await hasBlocked(tx, recipient.key, caller.key)) return undefined;
  call.emit({ scope: accountScope(recipient.key), kind: 'alert', params: { title, text, level, from } });
  return undefined;
});
