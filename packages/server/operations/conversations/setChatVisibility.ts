import type { Input } from '@parley/protocol';
import type { AuditRule } from '../../commits/audit.ts';
import { everything } from '../../commits/unit-locks.ts';
import { unitThen } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { requireManagedGroup } from '../../access/chats.ts';
import { endUnpaidTurns } from '../../agents/end-unpaid-turns.ts';
import { forbidden } from '../../core/errors.ts';
import { announce } from '../../conversations/announce.ts';
import { currentView } from '../../conversations/current-view.ts';
import { setVisibility } from '../../store/public-chats.ts';
import { openTurnsOfAgent } from '../../store/turns.ts';
import { agentParticipants } from '../../store/chats.ts';

interface Changed {
  key: number;
  isChanged: boolean;
}

const audit: AuditRule<Input<'setChatVisibility'>, Changed> = ({ chat_id: target, visibility }, { isChanged }) =>
  isChanged ? { target, details: { visibility } } : null;

/**
 * Lets people find and join a group by themselves, or no longer (PUBLIC-2). Locks everything: the unit can also end turns
 * of other conversations, since a public group is none for which an owner's key pays (KEY-10, KEY-13).
 */
export default unitThen<'setChatVisibility', Changed>(
  'setChatVisibility',
  { locks: everything, audit },
  async (call, { chat_id, visibility }): Promise<Changed> => {
    const { tx, caller } = call;
    const chat = await requireManagedGroup(call, chat_id);
    if (visibility === 'public' && caller.role === 'guest') throw forbidden('guests make no group public');
    const isPublic = Number(visibility === 'public');
    if (isPublic === chat.is_public) return { key: chat.key, isChanged: false };
    await tx.run(setVisibility, chat.key, isPublic);
    announce(call, chat, { visibility });
    if (isPublic === 1)
      for (const { account_key: key } of await tx.all(agentParticipants, chat.key))
        await endUnpaidTurns(call, await tx.all(openTurnsOfAgent, key));
    return { key: chat.key, isChanged: true };
  },
  async (call, { key }, rooms: Needs<'texts'>) => currentView(call, key, rooms),
);
