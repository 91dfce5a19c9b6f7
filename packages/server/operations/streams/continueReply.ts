import type { Input } from '@parley/protocol';
import { account } from '../../commits/lock-names.ts';
import { chatAndSenderOf, type LockRule } from '../../commits/unit-locks.ts';
import { conflict } from '../../core/errors.ts';
import { requireEndedReply, requireTerms, runAgain } from '../../agents/another-turn.ts';
import { refusalOf } from '../../agents/refusals.ts';
import { reopenStream } from '../../replies/reopen-stream.ts';
import { whyNotContinued } from '../../rules/continued-replies.ts';
import { recordOf } from '../../store/messages.ts';
import { unit } from '../handler.ts';

// Locks the conversation of the reply, the caller's account, whose running and waiting turns are counted, and the
// household of the agent, whose stored bytes change.
const locks: LockRule<Input<'continueReply'>> = ({ caller, input }) => [
  chatAndSenderOf(input.message_id),
  account(caller.key),
];

export default unit('continueReply', { locks }, async (call, { message_id }) => {
  const ended = await requireEndedReply(call, message_id);
  const obstacle = whyNotContinued(recordOf(ended.reply));
  if (obstacle !== null) throw conflict(obstacle);
  const terms = await requireTerms(call, ended);
  // A reply that has text cannot say why there is no more of it.
  if (terms.refused) throw conflict(refusalOf(terms.refused, ended.agent).text);
  return runAgain(call, ended, terms, (turnKey) => reopenStream(call, ended.reply, turnKey));
});
