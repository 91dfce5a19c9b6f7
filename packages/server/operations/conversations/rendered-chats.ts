import type { Conversation } from '@parley/protocol';
import { RawJson, renderJson } from '../../core/json.ts';
import { isVisible } from '../../messages/visibility.ts';
import { isParticipant, type OwnChatRow, ownChatByKey } from '../../store/chats.ts';
import { ownView } from '../../rendering/conversation-view.ts';
import type { LiveTexts } from '../../rendering/messages.ts';
import type { ReadCall } from '../handler.ts';
import { slicedPage } from '../sliced-page.ts';

/**
 * Renders conversations for the caller, who takes part in them, up to 1 MiB; leaves out those that the caller has left
 * meanwhile. A row with only a key is read when it is rendered.
 */
export async function renderedChats(
  call: ReadCall,
  rows: readonly (OwnChatRow | { key: number })[],
  texts: LiveTexts,
): Promise<{ items: RawJson<Conversation>[]; taken: number }> {
  const { tx, caller, now } = call;
  const { shown, taken } = await slicedPage({
    rows,
    async render(row, isStale) {
      const chat = 'id' in row && !isStale ? row : await tx.get(ownChatByKey, row.key, caller.key);
      if (!chat) return undefined;
      const { view, lastKey } = await ownView(call, chat, caller.key, now, texts);
      return { json: new RawJson<Conversation>(renderJson(view)), lastKey };
    },
    async holds(row, { lastKey }) {
      if (lastKey !== undefined) return isVisible(call, { key: lastKey });
      return (await tx.get(isParticipant, row.key, caller.key)) !== undefined;
    },
  });
  return { items: shown.map(({ part }) => part.json), taken };
}
