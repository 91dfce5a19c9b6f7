import type { Input } from '@parley/protocol';
import type { AuditRule } from '../../commits/audit.ts';
import { inChat } from '../../commits/unit-locks.ts';
import { unitThen } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { requireManagedGroup } from '../../access/chats.ts';
import { announce } from '../../conversations/announce.ts';
import { currentView } from '../../conversations/current-view.ts';
import { setPosting } from '../../store/public-chats.ts';

interface Changed {
  key: number;
  isChanged: boolean;
}

const audit: AuditRule<Input<'setChatPosting'>, Changed> = ({ chat_id: target, posting }, { isChanged }) =>
  isChanged ? { target, details: { posting } } : null;

/** Sets who writes in a group (POST-2). */
export default unitThen<'setChatPosting', Changed>(
  'setChatPosting',
  { locks: inChat, audit },
  async (call, { chat_id, posting }): Promise<Changed> => {
    const chat = await requireManagedGroup(call, chat_id);
    const managersPost = Number(posting === 'managers');
    if (managersPost === chat.managers_post) return { key: chat.key, isChanged: false };
    await call.tx.run(setPosting, chat.key, managersPost);
    announce(call, chat, { posting });
    return { key: chat.key, isChanged: true };
  },
  async (call, { key }, rooms: Needs<'texts'>) => currentView(call, key, rooms),
);
