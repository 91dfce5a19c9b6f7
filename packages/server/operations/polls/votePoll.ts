import type { Input } from '@parley/protocol';
import { chatOf, type LockRule } from '../../commits/unit-locks.ts';
import { conflict, forbidden, invalid } from '../../core/errors.ts';
import { accountScope } from '../../core/event-kinds.ts';
import { assertMayReact } from '../../messages/may-write.ts';
import { requirePoll, votesChanged } from '../../messages/polls.ts';
import { isClosed, optionsOf, votesFor } from '../../rules/polls.ts';
import { deleteVote, putVote, voteOf } from '../../store/poll-votes.ts';
import { unit } from '../handler.ts';

// Locks the message's conversation, because the results are counted from all votes.
const locks: LockRule<Input<'votePoll'>> = ({ input }) => [chatOf(input.message_id)];

export default unit(
  'votePoll',
  { locks, addsData: ({ options }) => options.length > 0 },
  async (call, { message_id, options }) => {
    const { tx, caller, now } = call;
    const found = await requirePoll(call, message_id);
    // One person can own many agents (POLL-4).
    if (caller.kind !== 'human') throw forbidden('only humans vote');
    const { row, chat, poll } = found;
    if (options.some((option) => option >= poll.options.length))
      throw invalid('options', 'names an option that is not there');
    const vote = votesFor(options);
    const named = optionsOf(vote);
    if (named.length > 1 && !poll.is_multiple) throw invalid('options', 'may name one option only');
    if (isClosed(poll, now)) throw conflict('this poll is closed');
    if (vote !== 0) await assertMayReact(call, chat);
    const answer = { message_id, options: named };
    if (((await tx.get(voteOf, row.key, caller.key))?.options ?? 0) === vote) return answer;
    if (vote === 0) await tx.run(deleteVote, row.key, caller.key);
    else await tx.run(putVote, row.key, caller.key, vote, now);
    call.emit({ scope: accountScope(caller.key), kind: 'pollVoted', params: answer, ref: row.key });
    await votesChanged(call, found);
    return answer;
  },
);
