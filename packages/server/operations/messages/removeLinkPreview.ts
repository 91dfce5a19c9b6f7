import type { Input } from '@parley/protocol';
import { chatOf, householdOf, type LockRule } from '../../commits/unit-locks.ts';
import { conflict } from '../../core/errors.ts';
import { setPreview } from '../../messages/link-previews.ts';
import { assertMayReact } from '../../messages/may-write.ts';
import { requireOwnMessage } from '../../messages/own-message.ts';
import { messageJson } from '../../rendering/messages.ts';
import { recordOf } from '../../store/messages.ts';
import { unit } from '../handler.ts';

// Locks what editMessage locks.
const locks: LockRule<Input<'removeLinkPreview'>> = ({ caller, input }) => [
  chatOf(input.message_id),
  householdOf(caller),
];

/** Null instead of a preview also keeps one that is being made from being added (LINK-7). It adds nothing, so where only managers post, others may too (POST-6). */
export default unit('removeLinkPreview', { locks, addsData: false }, async (call, { message_id }) => {
  const { row } = await requireOwnMessage(call, message_id, assertMayReact);
  if (row.status === 'streaming') throw conflict('this message is still being written');
  const record = recordOf(row);
  return record.link_preview === null ? messageJson(call, row) : setPreview(call, row, record, null);
});
