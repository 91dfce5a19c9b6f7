import { everything } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { deleteInvite, managedInvite } from '../../store/invites.ts';

/** An invite of a group that the caller does not manage gives the same 404 as an unknown one (INVITE-5). */
// Locks everything: the input does not name the conversation, only the stored invite does.
export default unit(
  'revokeInvite',
  { locks: everything, addsData: false },
  async ({ tx, caller, now }, { invite_id }) => {
    const invite = await tx.get(managedInvite, idBytes(invite_id), now, caller.key);
    if (!invite) throw notFound('invite');
    await tx.run(deleteInvite, invite.key);
  },
);
