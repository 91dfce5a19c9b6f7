import { everything } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { deleteInvite, managedInvite } from '../../store/invites.ts';

/** Of a group that the caller does not manage an invite is not found, as one that is not there (INVITE-5). */
// Locks: which conversation it is, only the stored invite says.
export default unit('revokeInvite', { locks: everything }, async ({ tx, caller, now }, { invite_id }) => {
  const invite = await tx.get(managedInvite, idBytes(invite_id), now, caller.key);
  if (!invite) throw notFound('invite');
  await tx.run(deleteInvite, invite.key);
});
