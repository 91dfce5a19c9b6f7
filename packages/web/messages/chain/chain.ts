// Who asked whom: the replies that follow from one message of a person. May import: messages/actions and the rooms below
// messages.
import type { Account, Message } from '@parley/protocol';

type Link = Pick<Message, 'id' | 'reply_to_id' | 'sender' | 'dispatch' | 'versions' | 'decision'>;

/** A turn of an agent in a chain. */
export interface ChainTurn<Reply extends Link = Message> {
  readonly agent: string;
  /** Who asked it. */
  readonly asker: Account;
  /** Null before it has answered. */
  readonly reply: Reply | null;
}

/** Whether a message asked the agent that wrote a reply. What a turn asks people quotes that message too. */
export const isAskedBy = (reply: Link, asker: Link): boolean =>
  reply.sender.kind === 'agent' &&
  reply.decision === undefined &&
  reply.reply_to_id === asker.id &&
  asker.dispatch.includes(reply.sender.username);

/** The turns that follow from a message, in the order of their replies, each agent's after the message that asked it. */
export function turnsAfter<Reply extends Link>(root: Reply, messages: readonly Reply[]): ChainTurn<Reply>[] {
  const current = messages.filter(({ id, versions }) => !versions || versions.current === id);
  const turns: ChainTurn<Reply>[] = [];
  const asked = new Set([root.id]);
  for (let next: Reply[] = [root]; next.length > 0;) {
    const replies: Reply[] = [];
    for (const asker of next) {
      const found = current.filter((message) => !asked.has(message.id) && isAskedBy(message, asker));
      for (const reply of found) {
        asked.add(reply.id);
        turns.push({ agent: reply.sender.username, asker: asker.sender, reply });
      }
      const waiting = asker.dispatch.filter((name) => !found.some(({ sender }) => sender.username === name));
      turns.push(...waiting.map((agent) => ({ agent, asker: asker.sender, reply: null })));
      replies.push(...found);
    }
    next = replies;
  }
  return turns;
}
