import type { Logger } from 'pino';
import type { TitleRequest } from '../commits/effects.ts';
import type { UnitCallers } from '../commits/unit-callers.ts';
import type { Clock } from '../core/clock.ts';
import { idText } from '../core/ids.ts';
import { type Closers, logFaults } from '../core/opening.ts';
import type { Settings } from '../core/settings.ts';
import type { Files } from '../files/files.ts';
import type { EndpointRule } from '../outbound/endpoint-rule.ts';
import { GuardedFetch } from '../outbound/guarded-fetch.ts';
import type { Rate } from '../rules/prices.ts';
import type { KeyRing } from '../secrets/seal.ts';
import { type AccountRow, turnOwner } from '../store/accounts.ts';
import { chatByKey } from '../store/chats.ts';
import type { Awaitable, Sql } from '../store/sql.ts';
import type { TurnRow } from '../store/turns.ts';
import { ChatTitles, type TitleEnd } from './chat-titles.ts';
import type { LiveStreams } from '../replies/live-streams.ts';
import { providersOf, type ProviderNeeds } from './providers/choices.ts';
import { ModelLists } from './providers/model-lists.ts';
import type { ReplyEnds } from '../replies/reply-ends.ts';
import { Summaries, type SummaryNeeds } from './summaries.ts';
import { type TranscriptNeeds, Transcripts } from './transcripts.ts';
import { type PictureNeeds, Pictures } from './pictures.ts';
import { CallContents } from './tool-turns/call-contents.ts';
import type { TextReader } from '../readers/text-reader.ts';
import { allTools } from './tool-turns/all-tools.ts';
import { toolsOfServers } from './tool-turns/server-tools.ts';
import type { ToolSource } from './tool-turns/tool-port.ts';
import type { ToolTurnNeeds } from './tool-turns/tool-turn.ts';
import { Turns } from './turn-runner.ts';
import type { claimTurn } from './turn-units.ts';

type AgentUnits = SummaryNeeds['units'] &
  TranscriptNeeds['units'] &
  PictureNeeds['units'] &
  ToolTurnNeeds['units'] &
  UnitCallers<{ claimTurn: typeof claimTurn }> & {
    nameChat: (input: { request: TitleRequest } & TitleEnd) => Promise<unknown>;
  };

interface RoomsAbove {
  config: ProviderNeeds['config'] &
    TranscriptNeeds['config'] &
    PictureNeeds['config'] & { agentEndpoints: EndpointRule; agentPrices: ReadonlyMap<string, Rate> };
  settings: Settings;
  clock: Clock;
  random: () => number;
  logger: Logger;
  keys: KeyRing;
  read: Sql;
  files: Files;
  streams: LiveStreams;
  replyEnds: ReplyEnds;
  toolServers: Parameters<typeof toolsOfServers>[0]['servers'];
  ownTools: (pictures: Pictures) => ToolSource;
  textReader: TextReader;
  units: AgentUnits;
  /** False while another node may be about to take over this node's work (CLUSTER-39). */
  isSure: () => Awaitable<boolean>;
}

/** The service's own agents: what reaches their models, and the turns, titles and transcripts that use them. */
export function openAgents(above: RoomsAbove, opened: Closers) {
  const { config, settings, clock, random, logger, keys, read, files, streams, replyEnds, units, isSure } = above;
  const modelServers = new GuardedFetch(config.agentEndpoints);
  opened.defer(() => modelServers.close());
  const guarded = modelServers.fetch;
  const readLarge = (data: string) => above.textReader.largeEvent(data);
  const providers = providersOf({ config, clock, logger, random, guarded, isSure, readLarge });
  const modelLists = new ModelLists({ config, clock, guarded });
  const models = { clock, read, keys, providers, rateOf: (model: string) => config.agentPrices.get(model) ?? null };

  const transcripts = new Transcripts({
    ...models,
    config,
    storage: files.storage,
    guarded,
    modelLists,
    isSure,
    units,
    onFault: logFaults(logger, 'failed to transcribe a voice message'),
  });
  opened.defer(() => transcripts.stop());

  const pictures = new Pictures({
    ...models,
    config,
    guarded,
    modelLists,
    keepPhoto: (...given) => files.keepPhoto(...given),
    reader: above.textReader,
    isSure,
    units,
    onFault: logFaults(logger, 'failed to draw a picture'),
  });

  const onFault = (error: unknown, turn: TurnRow): void =>
    logger.error({ err: error, turn: turn.key }, 'a turn failed');
  const turns = new Turns({
    ...models,
    streams,
    readings: files.readings,
    summaries: new Summaries({ clock, read, units, onFault }),
    transcripts,
    pictures,
    tools: allTools(above.ownTools(pictures), toolsOfServers({ read, servers: above.toolServers })),
    units,
    turnsAtOnce: settings.turnsAtOnce,
    turnsOfOwner: settings.turnsOfOwner,
    claim: (turn, agent) => claim(above, turn, agent),
    close: async (stream, end) => void (await replyEnds.close(stream, end)),
    bookUsage: (stream, estimatedTokens) => replyEnds.bookUsage(stream, false, estimatedTokens),
    onFault,
    onQueueFault: logFaults(logger, 'failed to read waiting turns'),
  });
  // For a start that fails after it has taken over turns; those of a running service end in `drain`.
  opened.defer(() => turns.drain(Promise.resolve()));

  const titles = new ChatTitles({
    ...models,
    store: (request, end) => units.nameChat({ request, ...end }),
    onFault: logFaults(logger, 'failed to make a title'),
  });
  opened.defer(() => titles.stop());
  const callContents = new CallContents({
    read,
    keys,
    onFault: logFaults(logger, 'what a call was asked does not open'),
  });
  return { modelServers, modelLists, transcripts, turns, titles, callContents };
}

async function claim({ read, units }: RoomsAbove, turn: TurnRow, agent: AccountRow) {
  const chat = await read.get(chatByKey, turn.chat_key);
  if (!chat) throw new Error('a turn has its conversation');
  const owner = { ownerKey: turnOwner(agent), agentName: agent.username };
  return units.claimTurn({ turnKey: turn.key, chatId: idText(chat.id), humanKey: turn.human_key, ...owner });
}
