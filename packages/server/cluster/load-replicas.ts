import { openStreamOf } from '../replies/open-stream.ts';
import type { ReplyReplicas } from '../replies/reply-replicas.ts';
import { accountByKey } from '../store/accounts.ts';
import { actorOf } from '../rendering/accounts.ts';
import { messageByKey } from '../store/messages.ts';
import type { Sql } from '../store/sql.ts';
import { openStreams } from '../store/turns.ts';

interface Source {
  read: Sql;
  /** The key of this node, whose own replies need no replica. */
  node: number;
  revisionBlock: number;
}

/**
 * Loads the open replies of the other nodes as stored. Parts of them may be missing, so this node must then request
 * snapshots from those nodes (CLUSTER-10).
 */
export const loadReplicas = (replicas: ReplyReplicas, { read, node, revisionBlock }: Source): Promise<void> =>
  replicas.load(async () => {
    const open = [];
    for (const stream of await read.all(openStreams)) {
      if (stream.node_key === node) continue;
      const row = await read.get(messageByKey, stream.message_key);
      const agent = await read.get(accountByKey, stream.agent_key);
      if (row?.status !== 'streaming' || !agent) continue;
      const known = {
        agent: actorOf(agent),
        // What reserves revisions always reserves this many above the newest published one.
        revision: stream.revision_reserved - revisionBlock,
        revisionReserved: stream.revision_reserved,
        resumed: true,
      };
      open.push({ info: openStreamOf(stream, row, known), node: stream.node_key });
    }
    return open;
  });
