import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { forbidden } from '../../core/errors.ts';
import { requirePoll } from '../../messages/polls.ts';
import { votesFor } from '../../rules/polls.ts';
import { actorOf } from '../../rendering/accounts.ts';
import { votersFor } from '../../store/poll-votes.ts';
import { read } from '../handler.ts';

export default read('getPollVoters', async (call, { message_id, option, limit, cursor }) => {
  const { row, poll } = await requirePoll(call, message_id);
  if (poll.is_anonymous) throw forbidden('this poll is anonymous');
  const [after] = cursor === undefined ? [0] : decodeCursor('voters', cursor, ['number']);
  const rows = await call.tx.all(votersFor, row.key, votesFor([option]), after, limit + 1);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { items: rows.slice(0, limit).map(actorOf), next_cursor: last && encodeCursor('voters', last.account_key) };
});
