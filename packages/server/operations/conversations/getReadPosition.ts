import { read } from '../handler.ts';
import { requireChat } from '../../access/chats.ts';
import { privacyOf } from '../../store/privacy.ts';
import { readByOthers } from '../../store/receipts.ts';

/** An agent, and a person who does not share receipts, learns nothing (READ-13). */
export default read('getReadPosition', async (call, { chat_id }) => {
  const { tx, caller } = call;
  const chat = await requireChat(call, chat_id);
  const maySee = caller.kind === 'human' && (await privacyOf(tx, caller.key)).read_receipts;
  return { position: maySee ? await readByOthers(tx, chat.key, caller.key) : 0 };
});
