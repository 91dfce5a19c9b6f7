import { read } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { inviteBinding, type KeyRing } from '../../secrets/seal.ts';
import { requireManagedGroup } from '../../access/chats.ts';
import { inviteRecord } from '../../rendering/records.ts';
import { type InviteRow, livingInvites } from '../../store/invites.ts';
import { inviteUrl } from '../../conversations/secret-urls.ts';

export default read('getInvites', async (call, { chat_id }, { keys, config }: Needs<'keys' | 'config'>) => {
  const { tx, now } = call;
  const chat = await requireManagedGroup(call, chat_id);
  const rows = await tx.all(livingInvites, chat.key, now);
  const items = rows.map((row) => {
    const token = openedToken(keys, row);
    return {
      ...inviteRecord(row),
      ...(token !== undefined && { token, url: inviteUrl(config.publicUrl, token) }),
    };
  });
  return { items };
});

/** Undefined if the key that sealed the token is missing; the invite can still be revoked. */
function openedToken(keys: KeyRing, { sealed, token_hash }: InviteRow): string | undefined {
  try {
    return keys.open(sealed, inviteBinding(token_hash));
  } catch {
    return undefined;
  }
}
