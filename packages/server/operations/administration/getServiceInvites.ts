import { isAtLeast } from '@parley/protocol';
import { idText } from '../../core/ids.ts';
import { serviceInviteRecord } from '../../rendering/records.ts';
import { chatsOfInvites, livingServiceInvites, livingServiceInvitesOf } from '../../store/service-invites.ts';
import { read } from '../handler.ts';

/** Maximum invites in one answer, the newest ones. */
const MOST = 1_000;

export default read('getServiceInvites', async ({ tx, caller, now }) => {
  const rows = isAtLeast(caller.role, 'admin')
    ? await tx.all(livingServiceInvites, now, MOST)
    : await tx.all(livingServiceInvitesOf, now, MOST, caller.key);
  const chats = await tx.list(
    chatsOfInvites,
    rows.map(({ key }) => key),
  );
  const chatIds = Map.groupBy(
    chats.toSorted((a, b) => a.place - b.place),
    (chat) => chat.invite_key,
  );
  return {
    items: rows.map((row) =>
      serviceInviteRecord(
        row,
        (chatIds.get(row.key) ?? []).map(({ chat_id }) => idText(chat_id)),
      ),
    ),
  };
});
