import { findInvite } from '../../conversations/find-invite.ts';
import { notFound } from '../../core/errors.ts';
import { accountByKey } from '../../store/accounts.ts';
import { avatarUrl } from '../../store/files.ts';
import { read } from '../handler.ts';

/** The same for every holder of the token, who may have no account yet (INVITE-12). */
export default read('getInvite', async (call, { token }) => {
  const { invite, chat, isOpen } = await findInvite(call, token);
  if (!isOpen) throw notFound('invite');
  const creator = await call.tx.get(accountByKey, invite.creator_key);
  return {
    title: chat.title ?? '',
    ...(chat.avatar_name !== null && { avatar_url: avatarUrl(chat.avatar_name) }),
    member_count: chat.participant_count,
    ...(creator?.deleted_at === null && { invited_by: creator.display_name }),
  };
});
