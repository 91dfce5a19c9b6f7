import { everything } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { chatScope } from '../../core/event-kinds.ts';
import { idText } from '../../core/ids.ts';
import { markChannelDeleted } from '../../store/chats.ts';
import { requireChannel, requireManagedGroup } from '../../access/chats.ts';
import { openDecisionsOfChannel } from '../../store/decisions.ts';
import { unmuteForAll } from '../../store/channel-mutes.ts';
import { dropDraftsOfChannel } from '../../store/drafts.ts';
import { pinsOfChannel, unpin } from '../../store/pins.ts';
import { dropSummariesOfChannel } from '../../store/summaries.ts';
import { takeBackGone } from '../../push/take-back.ts';
import { openStreamsOfChannel, openTurnsOfChat } from '../../store/turns.ts';
import { announceChannels } from '../../conversations/announce.ts';
import { releaseFilesOfChannel } from '../../messages/attached-files.ts';
import { withdraw } from '../../agents/after-decision.ts';
import { endReplies } from '../../agents/end-replies.ts';
import { endAgent } from '../../people/end-agent.ts';
import { webhooksOfChannel } from '../../store/webhooks.ts';

// Locks everything: the unit ends the replies, the files and the webhooks of a whole channel.
export default unit('deleteChannel', { locks: everything, addsData: false }, async (call, { chat_id, channel_id }) => {
  const { tx, now } = call;
  const chat = await requireManagedGroup(call, chat_id);
  const channel = await requireChannel(call, chat.key, channel_id);
  const turns = (await tx.all(openTurnsOfChat, chat.key)).filter(({ channel_key }) => channel_key === channel.key);
  await endReplies(call, turns, await tx.all(openStreamsOfChannel, chat.key, channel.key));
  // What no turn has waited for.
  for (const row of await tx.all(openDecisionsOfChannel, chat.key, channel.key)) await withdraw(call, row);
  for (const { key, id } of await tx.all(pinsOfChannel, chat.key, channel.key)) {
    await tx.run(unpin, chat.key, key);
    const params = { conversation_id: chat_id, message_id: idText(id), pinned: false };
    call.emit({ scope: chatScope(chat.key), kind: 'messagePinned', params });
  }
  await releaseFilesOfChannel(call, channel.key);
  for (const { account_key: key } of await tx.all(webhooksOfChannel, channel.key))
    await endAgent(call, { key, kind: 'agent' });
  await tx.run(markChannelDeleted, channel.key, now);
  await tx.run(dropDraftsOfChannel, channel.key);
  await tx.run(unmuteForAll, channel.key);
  await tx.run(dropSummariesOfChannel, chat.key, channel.key);
  await takeBackGone(call, chat.key, null);
  await announceChannels(call, chat);
  return undefined;
});
