import { read } from '../handler.ts';
import { idText } from '../../core/ids.ts';
import { draftsOf } from '../../store/drafts.ts';

export default read('getDrafts', async ({ tx, caller }) => {
  const rows = await tx.all(draftsOf, caller.key);
  return {
    items: rows.map((row) => ({
      chat_id: idText(row.chat_id),
      text: row.text,
      reply_to_id: row.reply_to_id,
      updated_at: row.updated_at,
    })),
  };
});
