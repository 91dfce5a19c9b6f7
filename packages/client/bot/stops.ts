import type { EventParams, Message } from '@parley/protocol';
import type { Client } from '../client.ts';
import type { Clock } from '../environment.ts';
import type { Turn } from './turn.ts';

/** How long another daemon of this bot has to end its own reply. */
const OTHERS_MS = 5_000;

interface StopsParts {
  client: Client;
  clock: Clock;
  /** The turns that run or wait. */
  turns: () => readonly Turn[];
  onError: (error: unknown) => void;
}

type CancelRun = EventParams<'cancelRun'>;

/** Handles a request to stop. Only the human who asked and the bot's owner may stop an answer; others get an alert. */
export async function heedStop(parts: StopsParts, cancel: CancelRun): Promise<void> {
  const { conversation_id, message_id, from } = cancel;
  const meant = parts
    .turns()
    .filter((turn) => turn.message.conversation_id === conversation_id)
    .filter((turn) => message_id === undefined || turn.isWriting(message_id));
  if (meant.length === 0) return message_id === undefined ? undefined : stopLeftover(parts, message_id, from);
  let isStopped = false;
  for (const turn of meant) {
    const asker = isOwner(parts.client, from) ? from.username : await askerOf(turn);
    if (asker === from.username) {
      isStopped = true;
      turn.stop('asked');
    } else turn.refuseStop();
  }
  if (!isStopped) await refuse(parts.client, from);
  return undefined;
}

/** The human who caused the turn, also through other agents. */
async function askerOf(turn: Turn): Promise<string | undefined> {
  const { from } = turn;
  if (from.kind === 'human' || turn.press) return from.username;
  const config = await turn.config().catch(() => undefined);
  return config?.user;
}

/**
 * Stops a reply that none of this daemon's turns is writing. Another live daemon stops its own reply; a reply left by a
 * dead daemon is ended here, instead of a minute later by the service (STREAM-7).
 */
async function stopLeftover(
  { client, clock, onError }: StopsParts,
  id: string,
  from: CancelRun['from'],
): Promise<void> {
  const find = async (messageId: string): Promise<Message | undefined> =>
    (await client.call('getMessages', { message_ids: [messageId] })).items[0];
  const isOpen = (reply: Message | undefined): reply is Message =>
    reply?.status === 'streaming' && reply.sender.username === client.account?.username;
  const end = async (): Promise<void> => {
    const reply = await find(id);
    if (!isOpen(reply)) return;
    const asked = reply.reply_to_id === null ? undefined : await find(reply.reply_to_id);
    if (!isOwner(client, from) && asked?.sender.username !== from.username) return;
    await client.call('finishMessageStream', { message_id: id, status: 'cancelled' });
  };
  if (!isOpen(await find(id))) return;
  clock.setTimer(() => void end().catch(onError), OTHERS_MS);
}

const isOwner = ({ account }: Client, { username }: CancelRun['from']): boolean =>
  account?.parent_username === username;

const refuse = async (client: Client, { username }: CancelRun['from']): Promise<void> => {
  const name = client.account?.display_name ?? 'this bot';
  await client.call('pushAlert', {
    to_username: username,
    level: 'error',
    text: `Only the person who asked ${name} and its owner can stop this answer.`,
  });
};
