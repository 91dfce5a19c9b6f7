import { limits } from '@parley/protocol';
import { inChat } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { invalid } from '../../core/errors.ts';
import { idText } from '../../core/ids.ts';
import { announceChannels } from '../../conversations/announce.ts';
import { countChannels, insertChannel } from '../../store/chats.ts';
import { requireManagedGroup } from '../../access/chats.ts';

export default unit('createChannel', { locks: inChat }, async (call, { chat_id, title }) => {
  const chat = await requireManagedGroup(call, chat_id);
  const channels = (await call.tx.get(countChannels, chat.key))?.count ?? 0;
  if (channels >= limits.channels) throw invalid('chat_id', `has ${limits.channels} channels already`);
  const id = call.newId();
  await call.tx.get(insertChannel, id, chat.key, title, call.now);
  await announceChannels(call, chat);
  return { id: idText(id), title, unread_count: 0 };
});
