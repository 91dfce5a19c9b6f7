import { type Input, limits } from '@parley/protocol';
import { account } from '../../commits/lock-names.ts';
import { chatAndSenderOf, type LockRule } from '../../commits/unit-locks.ts';
import { conflict } from '../../core/errors.ts';
import { idText } from '../../core/ids.ts';
import { requireEndedReply, requireTerms, runAgain } from '../../agents/another-turn.ts';
import { startStream } from '../../replies/open-stream.ts';
import { callerOf } from '../../agents/caller-of.ts';
import { announceVersions, beginVersion, versionsOfReply, type VersionsChange } from '../../messages/reply-versions.ts';
import { unit } from '../handler.ts';

// Locks the conversation of the reply, and the caller's account and the household of the agent, whose running and
// waiting turns are counted.
const locks: LockRule<Input<'retryReply'>> = ({ caller, input }) => [
  chatAndSenderOf(input.message_id),
  account(caller.key),
];

export default unit('retryReply', { locks }, async (call, { message_id }) => {
  const ended = await requireEndedReply(call, message_id);
  const terms = await requireTerms(call, ended);
  const { turn, agent, trigger } = ended;
  const former = await versionsOfReply(call, turn);
  if (former.length >= limits.versionsPerReply)
    throw conflict(`a reply has at most ${limits.versionsPerReply} versions: send the message again`);
  let change: VersionsChange | undefined;
  const message = await runAgain(call, ended, terms, (turnKey) =>
    startStream(call, callerOf(agent), {
      chatKey: turn.chat_key,
      channelKey: turn.channel_key,
      threadKey: turn.thread_key,
      replyToId: idText(trigger.id),
      turnKey,
      runner: 'server',
      clientMsgId: null,
      asVersion: async (row) => {
        change = await beginVersion(call, former, row);
      },
    }),
  );
  if (change) announceVersions(call, change);
  return message;
});
