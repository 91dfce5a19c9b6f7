import type { Message, Params } from '@parley/protocol';
import type { Actor, World } from '@parley/testing';

export type Ask = Omit<Params<'askDecision'>, 'chat_id'>;

/** Two options, as most questions have. */
export const yesNo = [
  { id: 'yes', label: 'Deploy', style: 'primary' as const },
  { id: 'no', label: 'Wait' },
];

export const refused = (status: number) => ({ status });

/** The open decisions in a person's inbox, newest first. */
const inbox = async (actor: Actor): Promise<string[]> =>
  (await actor.api.getInbox({})).items.flatMap(({ reason, message_id }) => (reason === 'decision' ? [message_id] : []));

/** A group of ann (the owner), ben and cleo, and a function that asks there; a stranger is elsewhere. */
export async function scene(world: World) {
  const people = await world.people('ann', 'ben', 'cleo', 'stranger');
  const { ann, ben, cleo } = people;
  const chat = await world.group(ann, ben, cleo);
  const chat_id = chat.id;
  const ask = async (more: Partial<Ask> = {}, asker: Actor = ann): Promise<Asked> => {
    const options = more.form ? undefined : yesNo;
    return asked(await asker.api.askDecision({ chat_id, text: 'Deploy now?', options, ...more }));
  };
  const shown = async (id: string, reader: Actor = cleo): Promise<Message | undefined> =>
    (await reader.api.getMessages({ message_ids: [id] })).items[0];
  const rowOf = async (actor: Actor) => (await actor.api.getChats({})).items.find(({ id }) => id === chat_id);
  const needs = async (actor: Actor): Promise<number | undefined> => (await rowOf(actor))?.needs_you;
  return { ...people, chat, chat_id, ask, shown, needs, inbox, rowOf };
}

export interface Asked {
  message: Message;
  message_id: string;
  decision_id: string;
}

export function asked(message: Message): Asked {
  if (!message.decision) throw new Error('the message has no decision');
  return { message, message_id: message.id, decision_id: message.decision.id };
}
