import type { UnitCallers } from '../commits/unit-callers.ts';
import type { Clock } from '../core/clock.ts';
import { type Closers, type FaultLogger, logFaults } from '../core/opening.ts';
import type { Settings } from '../core/settings.ts';
import type { EventLog } from '../log/event-log.ts';
import { isShort } from '../rules/text-reading.ts';
import type { TextReader } from '../readers/text-reader.ts';
import type { AccountTexts } from '../rendering/account-texts.ts';
import { accountByKey } from '../store/accounts.ts';
import { messageByKey } from '../store/messages.ts';
import { type LiveTexts, messageJson } from '../rendering/messages.ts';
import type { Sql } from '../store/sql.ts';
import { Checkpoints } from './checkpoints.ts';
import type { Booking, CloseOpenStream } from './end-of-reply.ts';
import { LiveStreams, type StreamNeeds } from './live-streams.ts';
import { OpenReplies } from './open-replies.ts';
import { ReplyEnds } from './reply-ends.ts';
import { ReplyReplicas } from './reply-replicas.ts';
import type { checkpoint } from './store-checkpoint.ts';

interface RoomsAbove extends Pick<StreamNeeds, 'snapshots' | 'isShared' | 'socketsOf' | 'listens'> {
  settings: Settings;
  clock: Clock;
  logger: FaultLogger;
  read: Sql;
  accounts: AccountTexts;
  log: EventLog;
  textReader: TextReader;
  units: UnitCallers<{ checkpoint: typeof checkpoint }>;
  /** Books the usage of a reply whose end does not book it. */
  book: (booking: Booking) => Promise<unknown>;
  /** Runs the unit that stores the end of a reply; resolves with its result as JSON text. */
  closeStream: (input: CloseOpenStream) => Promise<string | undefined>;
  /** Asks a node for the whole texts of its replies. */
  askForStreams: (node: number) => void;
}

/** Open replies: this node's own, replicas of the others', and how they end. */
export function openRepliesRoom(above: RoomsAbove, opened: Closers) {
  const { settings, clock, logger, read, log, textReader, units, closeStream } = above;
  const { snapshots, isShared, socketsOf, listens } = above;
  const streams = new LiveStreams({
    clock,
    snapshots,
    checkpoints: new Checkpoints({
      clock,
      revisionBlock: settings.revisionBlock,
      write: (stored) => units.checkpoint(stored),
    }),
    publish: (event) => log.publishTransient(event),
    render: async (messageKey, open) => {
      const row = await read.get(messageByKey, messageKey);
      if (!row) throw new Error('an open stream has its message');
      return (await messageJson({ tx: read, accounts: above.accounts }, row, { get: () => open })).text;
    },
    isShared,
    socketsOf,
    listens,
  });
  opened.defer(() => streams.close());
  const replicas = new ReplyReplicas(above.askForStreams);
  const replyEnds = new ReplyEnds({
    streams,
    numbered: () => log.numbered(),
    store: async (input) => {
      const { agentKey, text } = input;
      if (isShort(text)) return closeStream(input);
      // The agents of an owner take turns with other owners, not with each other.
      const ownerKey = (await read.get(accountByKey, agentKey))?.parent_key ?? agentKey;
      return closeStream({ ...input, reading: await textReader.read(text, ownerKey) });
    },
    book: above.book,
    onFault: logFaults(logger, 'failed to book the usage of a reply'),
  });
  const texts: LiveTexts = {
    get(messageKey) {
      const stream = streams.get(messageKey);
      return stream ? streams.textOf(stream) : replicas.get(messageKey)?.numbered.open;
    },
  };
  return { streams, replicas, replies: new OpenReplies(streams, replicas), replyEnds, texts };
}
