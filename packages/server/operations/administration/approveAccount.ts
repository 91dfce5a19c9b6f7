import { everything } from '../../commits/unit-locks.ts';
import { joinInvited } from '../../people/come-in.ts';
import { defaultChatIds, joinDefaultChats } from '../../conversations/public-chats.ts';
import { conflict } from '../../core/errors.ts';
import { requireBelow } from '../../people/administer.ts';
import { buryPerson } from '../../people/bury-person.ts';
import { setApproved } from '../../store/account-roles.ts';
import { dropPendingJoinsOf, pendingJoinsOf } from '../../store/service-invites.ts';
import { changingUnit } from '../handler.ts';

export default changingUnit(
  'approveAccount',
  { locks: everything, audit: ({ username, approved }) => ({ target: username, details: { approved } }) },
  async (call, { username, approved }) => {
    const { tx } = call;
    const account = await requireBelow(call, username);
    if (account.pending === 0) {
      if (approved) return false;
      throw conflict('this account does not wait for approval');
    }
    if (!approved) {
      await buryPerson(call, account);
      return true;
    }
    await tx.run(setApproved, account.key);
    const joins = await tx.all(pendingJoinsOf, account.key);
    await tx.run(dropPendingJoinsOf, account.key);
    for (const { chat_key: chatKey, inviter_key: inviterKey } of joins)
      await joinInvited(call, account, { chatKey, inviterKey });
    await joinDefaultChats(call, account.key, await defaultChatIds(tx));
    return true;
  },
);
