import { participantsAfter } from '../store/chats.ts';
import { fitting } from './fitting.ts';
import type { Run } from './own-tools.ts';

/** Maximum accounts in one answer. */
const MAX_PEOPLE = 500;

/** Who takes part in the conversation, those who came first at the front (OWN-3). */
export const listPeople: Run = async ({ read }, { turn }) => {
  const rows = await read.all(participantsAfter, turn.chat_key, 0, MAX_PEOPLE + 1);
  const people = rows.slice(0, MAX_PEOPLE).map(({ username, display_name, kind, role, account_key }) => ({
    username,
    name: display_name,
    kind: kind === 'human' ? 'person' : 'agent',
    role,
    ...(account_key === turn.human_key && { asked_you: true }),
    ...(account_key === turn.agent_key && { is_you: true }),
  }));
  const kept = fitting(people);
  const isCut = kept.length < rows.length;
  return { event: 'finish', result: JSON.stringify({ people: kept, ...(isCut && { note: 'There are more.' }) }) };
};
