import { idBytes, idText } from '../../core/ids.ts';
import { optionsOf } from '../../rules/polls.ts';
import { shownVotes } from '../../store/poll-votes.ts';
import { read } from '../handler.ts';

export default read('getPollVotes', async ({ tx, caller }, { message_ids }) => {
  const votes = await tx.list(shownVotes, [...new Set(message_ids)].map(idBytes), caller.key);
  return { items: votes.map(({ id, options }) => ({ message_id: idText(id), options: optionsOf(options) })) };
});
