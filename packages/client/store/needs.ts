// Which open decisions wait for the account, by conversation (DECIDE-10): from events, on top of what was fetched.
import type { Decision, Message } from '@parley/protocol';
import type { Chat } from './store.ts';

/** Maximum number that the service lists and counts. */
const MOST = 100;

/** Whether the account may decide; undefined if the conversation does not say: it lists its first participants only. */
function mayDecide({ deciders }: Decision, { participants, participant_count }: Chat, me: string): boolean | undefined {
  const own = participants.find(({ username }) => username === me);
  if (Array.isArray(deciders)) return deciders.includes(me);
  if (!own) return participants.length < participant_count ? undefined : false;
  return own.kind === 'human' && (deciders === 'anyone' || own.role !== 'member');
}

/** A service of an earlier version, or a store that one has saved, has none. */
const openIn = ({ open_decisions = [] }: { open_decisions?: readonly string[] }): readonly string[] => open_decisions;

const withNeeds = (chat: Chat, open_decisions: string[]): Chat => ({
  ...chat,
  needs_you: open_decisions.length,
  open_decisions,
});

/** The conversation once the decisions of these messages need nobody. */
export function withoutNeeds(chat: Chat, messageIds: readonly string[]): Chat {
  const open = openIn(chat);
  const left = open.filter((id) => !messageIds.includes(id));
  return left.length === open.length ? chat : withNeeds(chat, left);
}

/** The conversation after a message with a decision; undefined if it has to be fetched to know who may decide. */
export function afterDecision(
  chat: Chat,
  { id, decision }: Pick<Message, 'id'> & { decision: Decision },
  me: string,
): Chat | undefined {
  if (decision.state !== 'open') return withoutNeeds(chat, [id]);
  const isMine = mayDecide(decision, chat, me);
  if (isMine === undefined) return undefined;
  if (!isMine || openIn(chat).includes(id)) return chat;
  return withNeeds(chat, [id, ...openIn(chat)].slice(0, MOST));
}
