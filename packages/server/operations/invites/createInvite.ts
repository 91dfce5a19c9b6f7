// Invites: links with which people join a group by themselves.
import { limits } from '@parley/protocol';
import { inChat } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { invalid } from '../../core/errors.ts';
import { inviteBinding } from '../../secrets/seal.ts';
import { newToken } from '../../secrets/tokens.ts';
import { requireManagedGroup } from '../../access/chats.ts';
import { countLivingInvites, insertInvite } from '../../store/invites.ts';
import { inviteRecord } from '../../rendering/records.ts';
import { inviteUrl } from '../../conversations/secret-urls.ts';

/** Stores the token as a hash, and also sealed, so that getInvites can return it again (INVITE-2). */
export default preparedUnit('createInvite', {
  prepare(_call, _input, { keys, config }: Needs<'keys' | 'config'>) {
    const { token, hash } = newToken('i_');
    return { token, hash, sealed: keys.seal(token, inviteBinding(hash)), url: inviteUrl(config.publicUrl, token) };
  },
  locks: inChat,
  async handle(call, { chat_id, expires_in, max_uses = null }, { token, hash, sealed, url }) {
    const { tx, caller, now } = call;
    const chat = await requireManagedGroup(call, chat_id);
    const living = (await tx.get(countLivingInvites, chat.key, now))?.count ?? 0;
    if (living >= limits.invites) throw invalid('chat_id', `has ${limits.invites} invites already: revoke one first`);
    const id = call.newId();
    const expiresAt = expires_in === undefined ? null : now + expires_in * 1_000;
    await tx.run(insertInvite, id, chat.key, caller.key, hash, sealed, max_uses, now, expiresAt);
    const made = { id, created_by: caller.username, created_at: now, expires_at: expiresAt, max_uses, uses: 0 };
    return { ...inviteRecord(made), token, url };
  },
});
