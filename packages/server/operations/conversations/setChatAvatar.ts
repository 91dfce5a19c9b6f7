import { inChat } from '../../commits/unit-locks.ts';
import { announce } from '../../conversations/announce.ts';
import { givenAvatar, setGroupAvatar } from '../../files/avatars.ts';
import { requireManagedGroup } from '../../access/chats.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';

export default preparedUnit('setChatAvatar', {
  async prepare({ tx, caller }, { chat_id, avatar_file_id: fileId }, { files }: Needs<'files'>) {
    // Before the picture is made; the unit checks again.
    if (caller) await requireManagedGroup({ tx, caller }, chat_id);
    return givenAvatar(files, caller, fileId);
  },
  locks: inChat,
  async handle(call, { chat_id }, avatar = null) {
    const chat = await requireManagedGroup(call, chat_id);
    if (avatar || chat.avatar_name !== null)
      announce(call, chat, { avatar_url: await setGroupAvatar(call, chat, avatar) });
    return undefined;
  },
});
