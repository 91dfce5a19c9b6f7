import { ownTools } from '@parley/protocol/built-in-tools';
import type { Refused } from '../../commits/effects.ts';
import type { UnitCallers } from '../../commits/unit-callers.ts';
import type { Clock } from '../../core/clock.ts';
import { idText, newIdBytes } from '../../core/ids.ts';
import type { EndOfReply } from '../../replies/end-of-reply.ts';
import type { LiveStream } from '../../replies/live-stream.ts';
import { refusedCalls, resultOfCall, TOO_MANY_WAITING } from '../../rules/call-results.ts';
import { faultyServersNotice } from '../../rules/left-out-tools.ts';
import { isCallOver } from '../../rules/call-states.ts';
import { modelNames } from '../../rules/tool-names.ts';
import { type KeyRing, stepBinding } from '../../secrets/seal.ts';
import type { AccountRow } from '../../store/accounts.ts';
import type { Sql } from '../../store/sql.ts';
import { callsOfMessage, callsOfTurn, stepsOf, toolTurn } from '../../store/tool-calls.ts';
import type { TurnRow } from '../../store/turns.ts';
import type { Offer, OfferedTool } from '../../tools/outcomes.ts';
import type { EndReason, ProviderStep, ToolDefinition } from '../providers/provider.ts';
import type { ReplyWriter } from '../reply-writer.ts';
import { CALLS_ALLOWED } from './call-bounds.ts';
import { CallSender } from './call-sender.ts';
import type {
  admitStep,
  askCalls,
  beginCall,
  endCall,
  pauseCall,
  StepTokens,
  storeStep,
  TurnPlace,
} from './step-units.ts';
import { termsOf, type ToolSource } from './tool-port.ts';
import { loadCalls, showCall, type TurnCall } from './turn-calls.ts';
import { readCall, type WrittenCall } from './written-calls.ts';

/** Steps in a row that carry out no call, after which a turn that has used up its calls ends. */
const MAX_IDLE_STEPS = 2;

export interface ToolTurnNeeds {
  clock: Clock;
  read: Sql;
  keys: KeyRing;
  tools: ToolSource;
  units: UnitCallers<{
    admitStep: typeof admitStep;
    storeStep: typeof storeStep;
    askCalls: typeof askCalls;
    beginCall: typeof beginCall;
    endCall: typeof endCall;
    pauseCall: typeof pauseCall;
  }>;
}

/** An answer of the model to one request. */
export interface Answered {
  end: EndOfReply;
  reason: EndReason | null;
  calls: readonly WrittenCall[];
  blocks: unknown;
  /** The vendor's own tools have brought text of strangers into it. */
  isOpenWorld: boolean;
}

/**
 * Checks the budgets before a further request of the turn (CALL-16); resolves with what refuses it, or with `over` if the
 * turn has ended.
 */
export type AdmitStep = (tokens: StepTokens) => Promise<Refused | 'over' | null>;

interface Given {
  turn: TurnRow;
  agent: AccountRow;
  /** What it may use, if that has been asked already. */
  offer: Promise<Offer> | undefined;
  stream: LiveStream;
  writer: ReplyWriter;
  /** The context has what strangers wrote into files. */
  isTainted: boolean;
  /** Length of the text with which the turn began. */
  began: number;
  ask: (steps: readonly ProviderStep[], tools: readonly ToolDefinition[], admit: AdmitStep) => Promise<Answered>;
}

const stopped = { status: 'cancelled', finishReason: 'stopped' } as const satisfies EndOfReply;

/** The turn of an agent that may call tools: requests to its model, and between them the calls of each answer (CALL-1). */
export class ToolTurn {
  readonly #needs: ToolTurnNeeds;
  readonly #given: Given;
  readonly #signal: AbortSignal;
  readonly #place: TurnPlace;
  readonly #sender: CallSender;
  #offered: readonly OfferedTool[] = [];
  /** Servers that could not say what they offer. */
  #faults: Offer['faults'] = [];
  #steps: { blocks: unknown }[] = [];
  #calls: TurnCall[] = [];
  #idleSteps = 0;

  constructor(needs: ToolTurnNeeds, given: Given, signal: AbortSignal) {
    this.#needs = needs;
    this.#given = given;
    this.#signal = signal;
    const { turn, agent, stream } = given;
    this.#place = {
      turnKey: turn.key,
      messageKey: stream.info.messageKey,
      chatId: stream.info.chatId,
      humanKey: turn.human_key,
      agentName: agent.username,
    };
    this.#sender = new CallSender(needs, { turn, stream, place: this.#place }, signal);
  }

  /** Writes the reply; resolves with how it ends, which may be to wait for people (WAIT-1). */
  async run(): Promise<EndOfReply> {
    const { units } = this.#needs;
    const { turn, agent, offer, ask } = this.#given;
    const { tools, faults } = await (offer ?? this.#needs.tools.offered(agent, turn.human_key, this.#signal));
    this.#offered = tools;
    this.#faults = faults;
    if (turn.steps === 0) this.#given.writer.notice('faulty', faultyServersNotice(faults));
    this.#signal.throwIfAborted();
    if (turn.steps > 0) {
      const end = await this.#resume();
      if (end) return end;
    }
    for (;;) {
      const admit: AdmitStep = async (tokens) => {
        // In one commit, if the store finds them together.
        const admitted = this.#sender.stored(() => units.admitStep({ ...this.#place, ...tokens }));
        const [outcome] = await Promise.all([admitted, this.#sender.ended()]);
        return outcome;
      };
      const answered = await ask(this.#providerSteps(), this.#definitions(), admit);
      if (answered.calls.length === 0 || answered.reason !== 'tools') return answered.end;
      const end = (await this.#storeStep(answered)) ?? (await this.#settleCalls());
      if (end) return end;
      if (!this.#isGoingNowhere()) continue;
      await this.#sender.ended();
      return { status: 'complete', finishReason: 'tools' };
    }
  }

  /** Goes on after the last stored step: the calls that were being sent when the process died are in the ledger (CALL-4). */
  async #resume(): Promise<EndOfReply | null> {
    const { read, keys } = this.#needs;
    const { turn, writer } = this.#given;
    const rows = await read.all(stepsOf, turn.key);
    this.#steps = rows.map(({ blocks, step }) => ({
      blocks: JSON.parse(keys.open(blocks, stepBinding(turn.key, step))) as unknown,
    }));
    await this.#load();
    writer.keep();
    return (await this.#askAgain()) ?? this.#settleCalls();
  }

  async #load(): Promise<void> {
    const { read, keys } = this.#needs;
    const { turn, stream } = this.#given;
    const former = new Map(this.#calls.map(({ key, result }) => [key, result]));
    this.#calls = loadCalls(await read.all(callsOfTurn, turn.key), keys);
    for (const call of this.#calls) call.result ??= former.get(call.key) ?? null;
    await this.#sender.lookAgain(this.#calls);
    for (const call of this.#current) showCall(stream, call);
    await this.#sender.notePaused(this.#calls);
  }

  get #lastStep(): number {
    return this.#steps.length - 1;
  }

  /** The calls of the newest step: those of earlier ones are over. */
  get #current(): readonly TurnCall[] {
    return this.#calls.filter(({ step }) => step === this.#lastStep);
  }

  /** What the model is offered. Vendors take no steps with calls of tools without any tool: then those are named again. */
  #definitions(): ToolDefinition[] {
    if (this.#offered.length > 0) return this.#offered.map(definitionOf);
    const called = new Map(this.#calls.map(({ server, tool }) => [`${server} ${tool}`, { server, tool }]));
    const names = modelNames(
      [...called.values()].filter(({ server }) => server !== ''),
      ownTools,
    );
    return names.map((name) => ({ name, description: refusedCalls.gone, inputSchema: { type: 'object' } }));
  }

  #providerSteps(): ProviderStep[] {
    return this.#steps.map(({ blocks }, step) => ({
      blocks,
      results: this.#calls
        .filter((call) => call.step === step)
        .map(({ modelCall, state, result }) => ({ id: modelCall, ...resultOfCall(state, result) })),
    }));
  }

  async #storeStep({ calls, blocks, isOpenWorld }: Answered): Promise<EndOfReply | null> {
    const { keys, units, clock } = this.#needs;
    const { turn, stream, writer, began, isTainted } = this.#given;
    const step = this.#steps.length;
    const hasRead = this.#calls.some(({ isOpenWorld: reads, state }) => reads && wasSent(state));
    const made = { step, offered: this.#offered, writer, keys };
    const read = calls.map((call) => readCall(call, { id: idText(newIdBytes(clock.now())), ...made }));
    const stored = await this.#sender.stored(() =>
      units.storeStep({
        ...this.#place,
        step,
        blocks: keys.seal(JSON.stringify(blocks ?? null), stepBinding(turn.key, step)),
        text: stream.text,
        parts: stream.parts?.length ? JSON.stringify(stream.parts) : null,
        began,
        isTainted: isTainted || isOpenWorld || hasRead,
        calls: read.map(({ stored: one }) => one),
      }),
    );
    if (!stored) return stopped;
    writer.keep();
    turn.steps = step + 1;
    this.#steps.push({ blocks });
    const keyed = stored.calls.slice(this.#calls.length);
    for (const [at, { call }] of read.entries()) {
      const { key, state } = keyed[at] ?? { key: 0, state: call.state };
      this.#calls.push({ ...call, key, state, hasBegun: state === 'sending' });
    }
    for (const call of this.#current) showCall(stream, call);
    return stored.isTooMany ? this.#tooMany() : null;
  }

  /**
   * Sends what may be sent. Null once all calls of the step are over, of which the ends may still be stored; otherwise how
   * the reply waits.
   */
  async #settleCalls(): Promise<EndOfReply | null> {
    for (;;) {
      const sent = await this.#sender.sendAll(this.#current);
      const areOver = this.#current.every(({ state }) => isCallOver(state));
      if (areOver && sent === 'sent' && !this.#signal.aborted) return null;
      await this.#sender.ended();
      this.#signal.throwIfAborted();
      if (sent === 'too_many') return this.#tooMany();
      if (this.#current.some(({ state }) => state === 'sending')) return stopped;
      if ((await this.#sender.notePaused(this.#calls)).length > 0)
        return { status: 'complete', finishReason: 'waiting', askerKey: this.#given.turn.human_key };
      // They were decided meanwhile.
      await this.#load();
      const end = await this.#askAgain();
      if (end) return end;
    }
  }

  /** Decides about calls that have waited for a login or a budget, and about those whose tools are gone. */
  async #askAgain(): Promise<EndOfReply | null> {
    const { units } = this.#needs;
    // What people are being asked about stays as it is: when it is allowed, the call finds out whether it can be made.
    const open = await this.#sender.notePaused(this.#calls);
    const asked = this.#current.filter(
      ({ key, state }) => state === 'asked' && !open.some(({ call_key }) => call_key === key),
    );
    if (asked.length === 0) return null;
    const facts: Parameters<ToolTurnNeeds['units']['askCalls']>[0]['calls'][number][] = [];
    for (const call of asked) {
      const tool = this.#toolOf(call);
      if (tool)
        facts.push({
          key: call.key,
          approval: tool.server.approval,
          needsLogin: tool.needsLogin,
          terms: termsOf(tool),
        });
      else await this.#sender.end(call, { event: 'withdraw', result: this.#whyGone(call) });
    }
    const settled = await this.#sender.stored(() => units.askCalls({ ...this.#place, calls: facts }));
    if (!settled) return stopped;
    for (const { key, state } of settled.calls) {
      const call = this.#calls.find((one) => one.key === key);
      if (!call) continue;
      call.state = state;
      call.terms = facts.find((one) => one.key === key && state !== 'withdrawn')?.terms ?? call.terms;
      showCall(this.#given.stream, call);
    }
    await this.#sender.notePaused(this.#calls);
    return settled.isTooMany ? this.#tooMany() : null;
  }

  #whyGone({ server }: TurnCall): string {
    return this.#faults.some((fault) => fault.server === server) ? refusedCalls.unreachable : refusedCalls.gone;
  }

  #toolOf({ server, tool }: TurnCall): OfferedTool | undefined {
    return this.#offered.find((one) => one.server.name === server && one.tool === tool);
  }

  /** Whether the model goes on calling what is not carried out, after its calls are used up. */
  #isGoingNowhere(): boolean {
    this.#idleSteps = this.#current.some(({ durationMs }) => durationMs !== null) ? 0 : this.#idleSteps + 1;
    return this.#idleSteps >= MAX_IDLE_STEPS && this.#calls.length >= CALLS_ALLOWED;
  }

  #tooMany(): EndOfReply {
    const { stream, agent } = this.#given;
    stream.append(stream.text === '' ? TOO_MANY_WAITING : `\n\n${TOO_MANY_WAITING}`);
    const alert = `The reply of ${agent.display_name} failed: too many of your replies wait for a decision.`;
    return { status: 'failed', finishReason: 'too_many_waiting', alert };
  }
}

const wasSent = (state: TurnCall['state']): boolean => state === 'done' || state === 'failed' || state === 'unknown';

const definitionOf = ({ modelName, description, inputSchema }: OfferedTool): ToolDefinition => ({
  name: modelName,
  description,
  inputSchema,
});

/** Whether a reply that is continued was written after its model had read what strangers may have written (CALL-8). */
export async function hasReadStrangers(read: Sql, { info, parts = [] }: LiveStream): Promise<boolean> {
  // The vendor's own tools and sources; the calls of the service's are in the ledger.
  if (parts?.some((part) => part.type === 'source' || (part.type === 'tool' && part.call_id === undefined)))
    return true;
  const rows = await read.all(callsOfMessage, info.messageKey);
  return rows.some(({ open_world, state }) => open_world === 1 && wasSent(state));
}

/** Whether a turn has what only a turn with steps has: see `ToolTurn`. */
export const beganWith = async (read: Sql, turn: TurnRow): Promise<number> =>
  (await read.get(toolTurn, turn.key))?.began ?? 0;
