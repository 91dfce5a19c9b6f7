import type { Store, StoredMessage } from '@parley/client/store';

/** Maximum number of agent-to-agent replies in a chain that starts with a human. */
const MAX_HOPS = 32;

/** The human whose message started the chain that led to a reply; null if the chain is not loaded. */
export function askerOf(store: Store, reply: Pick<StoredMessage, 'reply_to_id'>): string | null {
  let id = reply.reply_to_id;
  for (let hop = 0; hop < MAX_HOPS && id !== null; hop += 1) {
    const message = store.message(id).get();
    if (!message) return null;
    if (message.sender.kind === 'human') return message.sender.username;
    id = message.reply_to_id;
  }
  return null;
}
