// own-tools/: the service's own tools for agents, with the rights of the person who asked, in that person's conversation.
// Imports the rooms of the domain and search, not operations.
import { type Clock, unlessAborted } from '../core/clock.ts';
import { OWN_TOOLS, type OwnTool } from '@parley/protocol/built-in-tools';
import type { UnitCallers } from '../commits/unit-callers.ts';
import { ServiceError } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import type { CodeRunner } from '../code/code-runner.ts';
import type { Files } from '../files/files.ts';
import type { Readings } from '../files/readings.ts';
import { ownToolsOf } from '../agents/load-run-config.ts';
import type { CallEnd, SentCall, ToolSource } from '../agents/tool-turns/tool-port.ts';
import { refusedCalls } from '../rules/call-results.ts';
import { cutToBytes, RESULT_BYTES } from '../rules/tool-results.ts';
import type { MessageSearch } from '../search/message-search.ts';
import { isParticipant } from '../store/chats.ts';
import type { Sql } from '../store/sql.ts';
import type { TurnRow } from '../store/turns.ts';
import { ask } from './ask.ts';
import { DRAWING_PROVIDER, type Pictures } from '../agents/pictures.ts';
import { currentTime } from './current-time.ts';
import { offeredTool } from './definitions.ts';
import { drawPicture } from './draw-picture.ts';
import { listPeople } from './list-people.ts';
import type { ownToolUnits } from './own-tool-units.ts';
import { readConversationFile } from './read-conversation-file.ts';
import { forget, remember } from './remember.ts';
import { remind } from './remind.ts';
import { runCode } from './run-code.ts';
import { searchConversation } from './search-conversation.ts';
import { searchLibrary } from './search-library.ts';
import { searchOwnConversations } from './search-own-conversations.ts';
import { Misuse } from './tool-arguments.ts';

export interface OwnToolNeeds {
  clock: Clock;
  read: Sql;
  settings: Pick<Settings, 'toolCallMs' | 'runsCode'>;
  search: Pick<MessageSearch, 'find'>;
  readings: Readings;
  storage: Pick<Files['storage'], 'read'>;
  keepFile: Files['keepFile'];
  code: Pick<CodeRunner, 'run'>;
  units: UnitCallers<typeof ownToolUnits>;
  pictures: Pick<Pictures, 'draw'>;
  /** Reports faults of the service itself, for the log. */
  onFault: (error: unknown) => void;
}

/** Carries out a call; what it throws for its caller is a ServiceError or a Misuse. */
export type Run = (needs: OwnToolNeeds, sent: SentCall, signal: AbortSignal) => Promise<CallEnd | null>;

const runs: Readonly<Record<OwnTool, Run>> = {
  search_messages: searchConversation,
  read_file: readConversationFile,
  list_people: listPeople,
  current_time: currentTime,
  remind,
  ask,
  remember,
  forget,
  search_my_conversations: searchOwnConversations,
  draw_picture: drawPicture,
  run_code: runCode,
  search_library: searchLibrary,
};

/** Those that store something. */
const writes: ReadonlySet<string> = new Set<OwnTool>([
  'remind',
  'ask',
  'remember',
  'forget',
  'draw_picture',
  // It has limits of its own.
  'run_code',
]);

/** The service's own tools as one source of a turn's tools (OWN-1). */
export class OwnTools implements ToolSource {
  readonly #needs: OwnToolNeeds;

  constructor(needs: OwnToolNeeds) {
    this.#needs = needs;
  }

  async offered(
    { key, parent_key: ownerKey, agent_provider: provider }: Parameters<ToolSource['offered']>[0],
    askerKey: number,
  ) {
    const names = await this.#namesOf(key);
    // Of the providers' protocols only one has pictures (OWN-16).
    const usable = names.filter((name) => name !== 'draw_picture' || provider === DRAWING_PROVIDER);
    return { tools: usable.map((name) => offeredTool(name, ownerKey === askerKey)), faults: [] };
  }

  /**
   * Reads may run again, so they need no word in the ledger before; what writes stores its effect and its end in one unit
   * (OWN-6).
   */
  async send(sent: SentCall, signal: AbortSignal): Promise<CallEnd | null> {
    const { clock, settings, onFault } = this.#needs;
    const late = new AbortController();
    // Whoever stores something waits for the unit: otherwise it could take effect although the call has failed.
    const timer = writes.has(sent.call.tool)
      ? null
      : clock.setTimer(() => late.abort(new Misuse('It took too long.')), settings.toolCallMs);
    try {
      const name = (await this.#namesOf(sent.turn.agent_key)).find((one) => one === sent.call.tool);
      if (name === undefined) return failed(refusedCalls.gone);
      await this.#assertTakingPart(sent.turn);
      const both = AbortSignal.any([signal, late.signal]);
      const end = await unlessAborted(runs[name](this.#needs, sent, both), both);
      // Who was removed meanwhile reads nothing.
      await this.#assertTakingPart(sent.turn);
      return end && 'event' in end && end.result !== null
        ? { ...end, result: cutToBytes(end.result, RESULT_BYTES) }
        : end;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Misuse || error instanceof ServiceError) return failed(error.message);
      onFault(error);
      return failed('The service could not do this at the moment.');
    } finally {
      timer?.cancel();
    }
  }

  /** Those that the owner has chosen and the operator allows. */
  async #namesOf(agentKey: number): Promise<OwnTool[]> {
    const { read, settings } = this.#needs;
    const names = await ownToolsOf(read, agentKey);
    return settings.runsCode ? names : names.filter((name) => name !== 'run_code');
  }

  async #assertTakingPart({ chat_key: chat, human_key: asker, agent_key: agent }: TurnRow): Promise<void> {
    const { read } = this.#needs;
    if ((await read.get(isParticipant, chat, asker)) && (await read.get(isParticipant, chat, agent))) return;
    throw new Misuse('The person who asked does not take part in this conversation.');
  }
}

const failed = (result: string): CallEnd => ({ event: 'fail', result });

/** What previewDispatch shows of an agent's own tools (PREVIEW-7). */
export const previewedOwnTools = (names: readonly OwnTool[]) =>
  names.length === 0
    ? []
    : [{ server: OWN_TOOLS, names: [...names], as: 'asker' as const, approval: 'never' as const }];
