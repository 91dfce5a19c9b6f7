import { pause } from '../../core/clock.ts';
import { ServiceError } from '../../core/errors.ts';
import type { LiveStream } from '../../replies/live-stream.ts';
import { isCallOver, nextCallState } from '../../rules/call-states.ts';
import { isCode, isView } from '../../rules/tool-names.ts';
import { callBinding } from '../../secrets/seal.ts';
import { type DecisionRow, openDecisionsOfTurn } from '../../store/decisions.ts';
import type { TurnRow } from '../../store/turns.ts';
import type { QuestionOfTool } from '../../tools/outcomes.ts';
import { CALLS_AT_ONCE } from './call-bounds.ts';
import { cite } from './citations.ts';
import type { TurnPlace } from './step-units.ts';
import type { SentCall } from './tool-port.ts';
import type { ToolTurnNeeds } from './tool-turn.ts';
import { showCall, type TurnCall } from './turn-calls.ts';

/** Delay before the store is asked again. */
const RETRY_MS = 1_000;

interface Given {
  turn: TurnRow;
  stream: LiveStream;
  place: TurnPlace;
}

interface EventEnd {
  event: Parameters<ToolTurnNeeds['units']['endCall']>[0]['event'];
  result: string | null;
  isOpenWorld?: boolean;
}

/** Sends the calls of a turn, and stores what becomes of each. */
export class CallSender {
  readonly #needs: ToolTurnNeeds;
  readonly #given: Given;
  readonly #signal: AbortSignal;
  /** Calls that need something of a person before they are sent again. */
  readonly #paused = new Set<number>();
  /** Ends of calls that are being stored. */
  #ending: Promise<void>[] = [];
  #isTooMany = false;

  constructor(needs: ToolTurnNeeds, given: Given, signal: AbortSignal) {
    this.#needs = needs;
    this.#given = given;
    this.#signal = signal;
  }

  /** Notes which calls wait for a login, a form or an answer; those that are only `asked` are not sent anyway. */
  async notePaused(calls: readonly TurnCall[]): Promise<readonly DecisionRow[]> {
    const open = await this.#needs.read.all(openDecisionsOfTurn, this.#given.turn.key);
    this.#paused.clear();
    for (const { kind, call_key: key } of open) {
      const about = calls.find((call) => call.key === key);
      if (!about) continue;
      if (kind === 'input' || kind === 'question') this.#paused.add(about.key);
      else if (kind === 'login') for (const call of calls) if (call.server === about.server) this.#paused.add(call.key);
    }
    return open;
  }

  /**
   * Sends the calls that are approved and wait for nobody; what became of them may still be on its way into the ledger:
   * see `ended`. 'too_many': one needs something of the asker, who has too many waiting replies (WAIT-8).
   */
  async sendAll(calls: readonly TurnCall[]): Promise<'sent' | 'too_many'> {
    const waiting = calls.filter(
      ({ key, state, hasBegun }) => (state === 'approved' || hasBegun) && !this.#paused.has(key),
    );
    const work = async (): Promise<void> => {
      for (let call = waiting.shift(); call; call = waiting.shift()) await this.#send(call);
    };
    // A call that was sent is waited for, whatever happens to another one.
    const ends = await Promise.allSettled(Array.from({ length: Math.min(CALLS_AT_ONCE, waiting.length) }, work));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return this.#isTooMany ? 'too_many' : 'sent';
  }

  /** Resolves when the ledger has the ends of all calls that were sent. */
  async ended(): Promise<void> {
    const ending = this.#ending;
    this.#ending = [];
    await Promise.all(ending);
  }

  async #send(call: TurnCall): Promise<void> {
    const { clock, tools } = this.#needs;
    if (this.#signal.aborted) return;
    const startedAt = clock.monotonic();
    const end = await tools.send(this.#sent(call), this.#signal);
    if (!end) {
      // The answer that allowed it was taken back, or the turn has ended, or another node runs it.
      if (!isCallOver(call.state)) call.state = 'sending';
      return;
    }
    call.durationMs = clock.monotonic() - startedAt;
    if ('event' in end) this.#endSoon(call, end);
    else if ('stored' in end) this.#ended(call, end.stored, end.result);
    else await this.#pause(call, end.needs);
  }

  /** Looks again at what calls have shown of the conversation before the turn waited: as it is now (OWN-9). */
  async lookAgain(calls: readonly TurnCall[]): Promise<void> {
    for (const call of calls) {
      if (call.state !== 'done' || call.result !== null || !isView(call)) continue;
      const end = await this.#needs.tools.send(this.#sent(call), this.#signal);
      if (!end || !('event' in end)) continue;
      call.result = end.result;
      call.isOpenWorld ||= end.isOpenWorld === true;
    }
  }

  #sent(call: TurnCall): SentCall {
    const { turn, place } = this.#given;
    return {
      call,
      turn,
      place,
      begin: () => this.#begin(call),
      stored: (run) => this.stored(run),
      cite: (passage) => cite(this.#given.stream, passage),
      seal: (result) => this.#needs.keys.seal(result, callBinding(call.id, 'result')),
    };
  }

  async #begin(call: TurnCall): Promise<boolean> {
    const { place, stream } = this.#given;
    if (call.hasBegun) {
      call.hasBegun = false;
      return true;
    }
    const begun = await this.stored(() => this.#needs.units.beginCall({ ...place, callKey: call.key }));
    call.state = begun ?? 'sending';
    if (begun) showCall(stream, call);
    return begun === 'sending';
  }

  /** Takes the end of a call as stored, so that one commit has it and the admission of the next request. */
  #endSoon(call: TurnCall, end: EventEnd): void {
    const ending = this.end(call, end);
    // Met where the turn waits for it.
    ending.catch(() => {});
    this.#ending.push(ending);
    call.state = nextCallState(call.state, end.event) ?? 'unknown';
    call.result = end.result;
  }

  /** Stores the end of a call. */
  async end(call: TurnCall, { event, result, isOpenWorld = false }: EventEnd): Promise<void> {
    const { units, keys } = this.#needs;
    const { place } = this.#given;
    // What was seen of the conversation is in the memory of its turn alone (OWN-9).
    const isSeen = isView(call) && (event === 'finish' || isCode(call));
    const isKept = result !== null && !isSeen;
    const sealed = !isKept ? null : keys.seal(result, callBinding(call.id, 'result'));
    const given = { ...place, callKey: call.key, event, result: sealed, isOpenWorld };
    const state = await this.stored(() => units.endCall(given));
    call.isOpenWorld ||= isOpenWorld;
    this.#ended(call, state ?? 'unknown', result);
  }

  #ended(call: TurnCall, state: TurnCall['state'], result: string | null): void {
    call.state = state;
    call.result = result;
    showCall(this.#given.stream, call);
  }

  async #pause(call: TurnCall, needs: 'login' | 'answer' | QuestionOfTool): Promise<void> {
    call.durationMs = null;
    this.#paused.add(call.key);
    // What people are asked is stored already.
    if (needs !== 'answer') await this.#storePause(call, needs);
    showCall(this.#given.stream, call);
  }

  async #storePause(call: TurnCall, needs: 'login' | QuestionOfTool): Promise<void> {
    const { units, keys } = this.#needs;
    const { place } = this.#given;
    const input = needs === 'login' ? null : needs;
    const sealed = input && { ...input, state: keys.seal(input.state, callBinding(call.id, 'input')) };
    const given = { ...place, callKey: call.key, needs: sealed ?? ('login' as const) };
    const { state, isTooMany } = await this.stored(() => units.pauseCall(given));
    this.#isTooMany ||= isTooMany;
    call.state = state ?? 'unknown';
    call.inputState = input?.state ?? null;
  }

  /** Runs a unit until the store takes it, or the turn is stopped. */
  async stored<Value>(run: () => Promise<Value>): Promise<Value> {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if (!isUnavailable(error) || this.#signal.aborted) throw error;
        await pause(this.#needs.clock, RETRY_MS, this.#signal);
      }
    }
  }
}

/** Whether the store refused for the moment, and changed nothing. */
const isUnavailable = (error: unknown): boolean => error instanceof ServiceError && error.code === 'unavailable';
