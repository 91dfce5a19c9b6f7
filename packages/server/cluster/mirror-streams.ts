import type { Service } from '../service.ts';
import { accountByKey, actorOf } from '../store/accounts.ts';
import { messageByKey, recordOf } from '../store/messages.ts';
import type { Sql } from '../store/sql.ts';
import { openStreams } from '../store/turns.ts';

/** The open replies of the other nodes, as far as they are written down: these show them whole when they hear of us. */
export const mirrorStreams = ({ mirrors }: Service, read: Sql): Promise<void> =>
  mirrors.load(async () => {
    const open = [];
    for (const stream of await read.all(openStreams)) {
      const row = await read.get(messageByKey, stream.message_key);
      const agent = await read.get(accountByKey, stream.agent_key);
      if (row?.status !== 'streaming' || !agent) continue;
      const record = recordOf(row);
      const info = {
        messageKey: row.key,
        messageId: record.id,
        chatKey: row.chat_key,
        chatId: record.conversation_id,
        channelId: record.channel_id,
        threadRootId: record.thread_root_id,
        agentKey: stream.agent_key,
        agent: actorOf(agent),
        runner: stream.runner,
        turnKey: stream.turn_key,
        text: stream.text,
        revision: 1,
        revisionReserved: stream.revision_reserved,
        cancelRequested: stream.cancel_requested === 1,
        resumed: true,
      };
      open.push({ info, node: stream.node_key });
    }
    return open;
  });
