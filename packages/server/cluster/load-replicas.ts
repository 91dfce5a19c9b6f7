import { openStreamOf } from '../agents/open-stream.ts';
import type { ReplyReplicas } from '../agents/reply-replicas.ts';
import { accountByKey, actorOf } from '../store/accounts.ts';
import { messageByKey } from '../store/messages.ts';
import type { Sql } from '../store/sql.ts';
import { openStreams } from '../store/turns.ts';

/** Loads the open replies of the other nodes as stored; those nodes send snapshots once they hear of this node. */
export const loadReplicas = (replicas: ReplyReplicas, read: Sql): Promise<void> =>
  replicas.load(async () => {
    const open = [];
    for (const stream of await read.all(openStreams)) {
      const row = await read.get(messageByKey, stream.message_key);
      const agent = await read.get(accountByKey, stream.agent_key);
      if (row?.status !== 'streaming' || !agent) continue;
      const known = {
        agent: actorOf(agent),
        revision: 1,
        revisionReserved: stream.revision_reserved,
        resumed: true,
      };
      open.push({ info: openStreamOf(stream, row, known), node: stream.node_key });
    }
    return open;
  });
