import { isAtLeast } from '@parley/protocol';
import { everything } from '../../commits/unit-locks.ts';
import { notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { roleNow } from '../../people/administer.ts';
import { dropServiceInvite, serviceInviteById } from '../../store/service-invites.ts';
import { unit } from '../handler.ts';

export default unit(
  'revokeServiceInvite',
  { locks: everything, addsData: false, audit: ({ invite_id: target }) => ({ target }) },
  async (call, { invite_id }) => {
    const { tx, caller, now } = call;
    const invite = await tx.get(serviceInviteById, now, idBytes(invite_id));
    const isOwn = invite?.creator_key === caller.key;
    if (!invite || !(isOwn || isAtLeast(await roleNow(call), 'admin'))) throw notFound('invite');
    for (const removal of dropServiceInvite) await tx.run(removal, invite.key);
  },
);
