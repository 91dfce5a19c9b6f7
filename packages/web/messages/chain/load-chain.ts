import type { Store, StoredMessage } from '@parley/client/store';
import type { Message } from '@parley/protocol';
import { type ChainTurn, turnsAfter } from './chain.ts';

/** Maximum messages between a reply and the message that began its chain; the service allows fewer. */
const MAX_HOPS = 32;
/** Messages of a timeline in which the replies of a chain are looked for. */
const PAGE = 200;

export interface Chain {
  readonly root: Message;
  readonly turns: readonly ChainTurn[];
  /** The timeline goes on where nobody has looked for further replies. */
  readonly isCut: boolean;
}

/** The chain of a reply: from the message that began it, which may be older than what is loaded. */
export async function loadChain({ client }: Store, message: StoredMessage): Promise<Chain> {
  const { conversation_id: chat_id, channel_id, thread_root_id } = message;
  let root: Message = message;
  for (let hop = 0; hop < MAX_HOPS && root.sender.kind === 'agent' && root.reply_to_id !== null; hop += 1) {
    const { items } = await client.call('getMessages', { message_ids: [root.reply_to_id] });
    const [quoted] = items;
    if (!quoted) break;
    root = quoted;
  }
  const timeline = { chat_id, channel_id, thread_root_id };
  const { items } = await client.call('getChatHistory', { ...timeline, after: root.id, limit: PAGE });
  return { root, turns: turnsAfter(root, items), isCut: items.length >= PAGE };
}
