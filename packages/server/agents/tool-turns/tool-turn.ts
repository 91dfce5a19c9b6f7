import { hash } from 'node:crypto';
import type { Refused } from '../../commits/effects.ts';
import type { UnitCallers } from '../../commits/unit-callers.ts';
import { type Clock, pause } from '../../core/clock.ts';
import { idText, newIdBytes } from '../../core/ids.ts';
import type { EndOfReply } from '../../replies/end-of-reply.ts';
import type { LiveStream } from '../../replies/live-stream.ts';
import { refusedCalls, resultOfCall, TOO_MANY_WAITING } from '../../rules/call-results.ts';
import { faultyServersNotice } from '../../rules/left-out-tools.ts';
import { isCallOver } from '../../rules/call-states.ts';
import { canonicalArguments, losesNumbers } from '../../rules/call-arguments.ts';
import { modelNames } from '../../rules/tool-names.ts';
import { callBinding, type KeyRing, stepBinding } from '../../secrets/seal.ts';
import type { AccountRow } from '../../store/accounts.ts';
import { type DecisionRow, inputOfCall, openDecisionsOfTurn } from '../../store/decisions.ts';
import type { Sql } from '../../store/sql.ts';
import { callsOfMessage, callsOfTurn, stepsOf, toolTurn } from '../../store/tool-calls.ts';
import type { TurnRow } from '../../store/turns.ts';
import type { OfferedTool, ToolAnswer } from '../../tools/outcomes.ts';
import type { EndReason, ProviderStep, ToolDefinition } from '../providers/provider.ts';
import type { ReplyWriter } from '../reply-writer.ts';
import { type CallEnd, isUnavailable, sendCall } from './run-call.ts';
import { CALLS_ALLOWED } from './calls-allowed.ts';
import type {
  admitStep,
  askCalls,
  beginCall,
  endCall,
  pauseCall,
  StepTokens,
  StoredCall,
  storeStep,
  TurnPlace,
} from './step-units.ts';
import { hostOf } from '../../tools/server-views.ts';
import { termsOf, type Tools } from './tool-port.ts';
import { loadCalls, showCall, type TurnCall } from './turn-calls.ts';

/** Maximum calls of a turn that are sent at once. */
const CALLS_AT_ONCE = 4;
/** Delay before the store is asked again. */
const RETRY_MS = 1_000;
/** Steps in a row that carry out no call, after which a turn that has used up its calls ends. */
const MAX_IDLE_STEPS = 2;

export interface ToolTurnNeeds {
  clock: Clock;
  read: Sql;
  keys: KeyRing;
  tools: Tools;
  units: UnitCallers<{
    admitStep: typeof admitStep;
    storeStep: typeof storeStep;
    askCalls: typeof askCalls;
    beginCall: typeof beginCall;
    endCall: typeof endCall;
    pauseCall: typeof pauseCall;
  }>;
}

/** A call as the model wrote it. */
export interface WrittenCall {
  id: string;
  name: string;
  arguments: string;
  isTooLong?: true;
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

/** Checks the budgets before a further request of the turn (CALL-16); resolves with what refuses it. */
export type AdmitStep = (tokens: StepTokens) => Promise<Refused | null>;

interface Given {
  turn: TurnRow;
  agent: AccountRow;
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
  #offered: readonly OfferedTool[] = [];
  /** Servers that could not say what they offer. */
  #faults: Awaited<ReturnType<Tools['offered']>>['faults'] = [];
  #steps: { blocks: unknown }[] = [];
  #calls: TurnCall[] = [];
  /** Calls that need something of a person before they are sent again. */
  readonly #paused = new Set<number>();
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
  }

  /** Writes the reply; resolves with how it ends, which may be to wait for people (WAIT-1). */
  async run(): Promise<EndOfReply> {
    const { units } = this.#needs;
    const { turn, agent, ask } = this.#given;
    const { tools, faults } = await this.#needs.tools.offered(agent, turn.human_key, this.#signal);
    this.#offered = tools;
    this.#faults = faults;
    if (turn.steps === 0) this.#given.writer.notice('faulty', faultyServersNotice(faults));
    this.#signal.throwIfAborted();
    if (turn.steps > 0) {
      const end = await this.#resume();
      if (end) return end;
    }
    for (;;) {
      const admit: AdmitStep = (tokens) => this.#stored(() => units.admitStep({ ...this.#place, ...tokens }));
      const answered = await ask(this.#providerSteps(), this.#definitions(), admit);
      if (answered.calls.length === 0 || answered.reason !== 'tools') return answered.end;
      const end = (await this.#storeStep(answered)) ?? (await this.#settleCalls());
      if (end) return end;
      if (this.#isGoingNowhere()) return { status: 'complete', finishReason: 'tools' };
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
    this.#calls = loadCalls(await read.all(callsOfTurn, turn.key), keys);
    for (const call of this.#current) showCall(stream, call);
    await this.#notePaused();
  }

  /** Notes which calls wait for a login or a form; those that are only `asked` are not sent anyway. */
  async #notePaused(): Promise<readonly DecisionRow[]> {
    const open = await this.#needs.read.all(openDecisionsOfTurn, this.#given.turn.key);
    this.#paused.clear();
    for (const { kind, call_key: key } of open) {
      const about = this.#calls.find((call) => call.key === key);
      if (!about) continue;
      if (kind === 'input') this.#paused.add(about.key);
      else if (kind === 'login')
        for (const call of this.#calls) if (call.server === about.server) this.#paused.add(call.key);
    }
    return open;
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
    const names = modelNames([...called.values()].filter(({ server }) => server !== ''));
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
    const { keys, units } = this.#needs;
    const { turn, stream, writer, began, isTainted } = this.#given;
    const step = this.#steps.length;
    const hasRead = this.#calls.some(({ isOpenWorld: reads, state }) => reads && wasSent(state));
    const read = calls.map((call) => this.#read(call, step));
    const stored = await this.#stored(() =>
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
      this.#calls.push({ ...call, key, state });
    }
    for (const call of this.#current) showCall(stream, call);
    return stored.isTooMany ? this.#tooMany() : null;
  }

  /** A call of the model as it is stored and kept: of a tool that is not offered, or without arguments, it has failed (CALL-5). */
  #read(written: WrittenCall, step: number): { call: TurnCall; stored: StoredCall } {
    const { keys, clock } = this.#needs;
    const id = idText(newIdBytes(clock.now()));
    const tool = this.#offered.find(({ modelName }) => modelName === written.name);
    const text = written.isTooLong ? undefined : canonicalArguments(written.arguments);
    const refused = !tool
      ? refusedCalls.unknownTool(written.name)
      : text === undefined
        ? refusedCalls.noObject
        : losesNumbers(written.arguments)
          ? refusedCalls.numbers
          : undefined;
    const args = text ?? '{}';
    const state = refused === undefined ? 'asked' : 'failed';
    const name = tool?.tool ?? written.name;
    const title = tool?.title ?? null;
    const status = state === 'failed' ? state : 'pending';
    const part = this.#given.writer.call({ name, title, status, call_id: id });
    const common = {
      id,
      modelCall: written.id,
      part,
      server: tool?.server.name ?? '',
      tool: name,
      identity: tool?.server.identity ?? 'none',
      writes: tool?.writes ?? false,
      isOpenWorld: tool?.isOpenWorld ?? false,
      terms: tool ? termsOf(tool) : '',
    } as const;
    return {
      call: {
        ...common,
        key: 0,
        step,
        arguments: args,
        state,
        result: refused ?? null,
        inputState: null,
        durationMs: null,
        isShared: false,
      },
      stored: {
        ...common,
        host: tool ? hostOf(tool.server.url) : '',
        title,
        arguments: keys.seal(args, callBinding(id, 'arguments')),
        argumentsHash: hash('sha256', args),
        ...(refused !== undefined && { refused: keys.seal(refused, callBinding(id, 'result')) }),
        approval: tool?.server.approval ?? 'never',
        needsLogin: tool?.needsLogin ?? false,
      },
    };
  }

  /** Sends what may be sent. Null once all calls of the step are over; otherwise how the reply waits. */
  async #settleCalls(): Promise<EndOfReply | null> {
    for (;;) {
      await this.#sendAll(this.#current.filter(({ key, state }) => state === 'approved' && !this.#paused.has(key)));
      this.#signal.throwIfAborted();
      if (this.#current.every(({ state }) => isCallOver(state))) return null;
      if (this.#current.some(({ state }) => state === 'sending')) return stopped;
      if ((await this.#notePaused()).length > 0)
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
    const open = await this.#notePaused();
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
      else await this.#end(call, { event: 'withdraw', result: this.#whyGone(call) });
    }
    const settled = await this.#stored(() => units.askCalls({ ...this.#place, calls: facts }));
    if (!settled) return stopped;
    for (const { key, state } of settled.calls) {
      const call = this.#calls.find((one) => one.key === key);
      if (!call) continue;
      call.state = state;
      call.terms = facts.find((one) => one.key === key && state !== 'withdrawn')?.terms ?? call.terms;
      showCall(this.#given.stream, call);
    }
    await this.#notePaused();
    return settled.isTooMany ? this.#tooMany() : null;
  }

  #whyGone({ server }: TurnCall): string {
    return this.#faults.some((fault) => fault.server === server) ? refusedCalls.unreachable : refusedCalls.gone;
  }

  #toolOf({ server, tool }: TurnCall): OfferedTool | undefined {
    return this.#offered.find((one) => one.server.name === server && one.tool === tool);
  }

  async #sendAll(calls: readonly TurnCall[]): Promise<void> {
    const waiting = [...calls];
    const work = async (): Promise<void> => {
      for (let call = waiting.shift(); call; call = waiting.shift()) await this.#send(call);
    };
    // A call that was sent is waited for, whatever happens to another one.
    const ends = await Promise.allSettled(Array.from({ length: Math.min(CALLS_AT_ONCE, waiting.length) }, work));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  /** The call is on the disk as being sent before it leaves (CALL-3). */
  async #send(call: TurnCall): Promise<void> {
    const { units, clock } = this.#needs;
    const { agent, turn, stream } = this.#given;
    if (this.#signal.aborted) return;
    const answer = await this.#answerFor(call);
    const mayGo = await this.#stored(() => units.beginCall({ ...this.#place, callKey: call.key }));
    call.state = 'sending';
    // The turn has ended, or another node runs it.
    if (!mayGo) return;
    showCall(stream, call);
    const startedAt = clock.monotonic();
    const sent = { call, agentKey: agent.key, askerKey: turn.human_key, answer };
    const end = await sendCall(this.#needs, sent, this.#signal).catch((): CallEnd => ({ event: 'lose', result: null }));
    call.durationMs = clock.monotonic() - startedAt;
    if ('event' in end) await this.#end(call, end);
    else await this.#pause(call, end.needs);
  }

  /** What was answered to a tool that asked for more (CALL-12). */
  async #answerFor(call: TurnCall): Promise<ToolAnswer | undefined> {
    if (call.inputState === null) return undefined;
    const row = await this.#needs.read.get(inputOfCall, this.#given.turn.key, call.key);
    const { option, fields } = JSON.parse(row?.value ?? '{}') as { option?: string; fields?: ToolAnswer['fields'] }; // as stored
    const requestState = call.inputState;
    if (option === undefined || option === 'decline') return { requestState, action: 'decline' };
    return { requestState, action: 'accept', ...(fields && { fields }) };
  }

  async #end(
    call: TurnCall,
    { event, result }: { event: Parameters<ToolTurnNeeds['units']['endCall']>[0]['event']; result: string | null },
  ): Promise<void> {
    const { units, keys } = this.#needs;
    const sealed = result === null ? null : keys.seal(result, callBinding(call.id, 'result'));
    const state = await this.#stored(() => units.endCall({ ...this.#place, callKey: call.key, event, result: sealed }));
    call.state = state ?? 'unknown';
    call.result = result;
    showCall(this.#given.stream, call);
  }

  async #pause(call: TurnCall, needs: Extract<CallEnd, { needs: unknown }>['needs']): Promise<void> {
    const { units, keys } = this.#needs;
    const input = needs === 'login' ? null : needs;
    const sealed = input && { ...input, state: keys.seal(input.state, callBinding(call.id, 'input')) };
    const state = await this.#stored(() =>
      units.pauseCall({ ...this.#place, callKey: call.key, needs: sealed ?? 'login' }),
    );
    call.state = state ?? 'unknown';
    call.inputState = input?.state ?? null;
    call.durationMs = null;
    this.#paused.add(call.key);
    showCall(this.#given.stream, call);
  }

  /** Runs a unit until the store takes it, or the turn is stopped. */
  async #stored<Value>(run: () => Promise<Value>): Promise<Value> {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if (!isUnavailable(error) || this.#signal.aborted) throw error;
        await pause(this.#needs.clock, RETRY_MS, this.#signal);
      }
    }
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
