import {
  type ContentBlock,
  methods,
  type NewSessionResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
} from '@agentclientprotocol/sdk';
import { type AgentOptions, AgentProcess } from './agent-process.ts';
import { AgentTrouble } from './agent-trouble.ts';
import { cancelled } from './permission.ts';
import type { StateFile } from './state-file.ts';
import { EventQueue } from './turn-events.ts';
import { UpdateReader } from './update-events.ts';

/** How long an agent has to end a prompt that was stopped. */
const STOP_MS = 5_000;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;

export type SessionParts = Omit<AgentOptions, 'onUpdate' | 'onPermission'> & { state: StateFile; timeline: string };

/** One prompt, until the agent has answered it. */
export interface AgentTurn {
  readonly events: EventQueue;
  readonly reader: UpdateReader;
  /** Resolves when nothing more of this turn comes. */
  readonly settled: Promise<void>;
  cancel: () => void;
}

/** The agent's session of one timeline, and the program that has it: it is started when it is needed (BRIDGE-5). */
export class AgentSession {
  readonly #parts: SessionParts;
  #process: AgentProcess | null = null;
  #id = '';
  #turn: { events: EventQueue; reader: UpdateReader; isCancelled: boolean } | null = null;
  #failures = 0;
  usedAt = 0;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  get isBusy(): boolean {
    return this.#turn !== null;
  }

  get capabilities(): AgentProcess['capabilities'] {
    return this.#process?.capabilities ?? {};
  }

  get folder(): string {
    return this.#parts.folder;
  }

  /** Throws AgentTrouble. `forgotten`: the agent remembers nothing of an earlier session. */
  async open(signal: AbortSignal): Promise<'same' | 'loaded' | 'new' | 'forgotten'> {
    if (this.#process && !this.#process.isOver) return 'same';
    await this.#backOff(signal);
    const process = await AgentProcess.start({
      ...this.#parts,
      onUpdate: (notification) => this.#take(notification),
      onPermission: (request, asked) => this.#ask(request, asked),
    }).catch((error: unknown) => {
      this.#failures += 1;
      throw error;
    });
    this.#process = process;
    try {
      return await this.#enter(process);
    } catch (error) {
      this.#failures += 1;
      process.kill();
      throw error;
    }
  }

  /** One prompt at a time: the caller sees to it that the session is not busy. */
  prompt(prompt: ContentBlock[]): AgentTurn {
    const process = this.#process;
    if (!process || this.#turn) throw new Error('the session is not open, or busy');
    const turn = { events: new EventQueue(), reader: new UpdateReader(), isCancelled: false };
    this.#turn = turn;
    const sessionId = this.#id;
    const settled = process
      .request((agent) => agent.request(methods.agent.session.prompt, { sessionId, prompt }))
      .then(
        ({ stopReason }) => {
          this.#failures = 0;
          turn.events.put({ type: 'end', stopReason });
        },
        (error: unknown) => {
          // One that was stopped by people has not failed.
          if (!turn.isCancelled) this.#failures += 1;
          turn.events.put({ type: 'trouble', error: error instanceof Error ? error : new Error(String(error)) });
        },
      )
      .finally(() => {
        if (this.#turn === turn) this.#turn = null;
      });
    const cancel = (): void => {
      if (turn.isCancelled || this.#turn !== turn) return;
      turn.isCancelled = true;
      process.notifyCancel(sessionId);
      const timer = setTimeout(() => process.kill('The agent did not stop, and was ended.'), STOP_MS);
      void settled.finally(() => clearTimeout(timer));
    };
    return { events: turn.events, reader: turn.reader, settled, cancel };
  }

  close(): void {
    this.#process?.kill('The agent was ended.');
    this.#process = null;
  }

  async #enter(process: AgentProcess): Promise<'loaded' | 'new' | 'forgotten'> {
    const { state, timeline, folder } = this.#parts;
    const known = state.session(timeline);
    const canLoad = process.capabilities.loadSession === true;
    const place = { cwd: folder, mcpServers: [] };
    if (known && canLoad) {
      const isLoaded = await process
        .call((agent) => agent.request(methods.agent.session.load, { sessionId: known.id, ...place }))
        .then(
          () => true,
          (error: unknown) => {
            if (process.isOver) throw error;
            return false;
          },
        );
      if (isLoaded) {
        this.#id = known.id;
        return 'loaded';
      }
    }
    const { sessionId } = await process.call((agent) =>
      agent.request<NewSessionResponse>(methods.agent.session.new, place),
    );
    this.#id = sessionId;
    state.keepSession(timeline, { id: sessionId, canLoad });
    return known ? 'forgotten' : 'new';
  }

  /** What comes outside of a prompt, or for another session, is nobody's. */
  #take({ sessionId, update }: SessionNotification): void {
    const turn = this.#turn;
    if (!turn || turn.isCancelled || sessionId !== this.#id) return;
    for (const event of turn.reader.read(update)) turn.events.put(event);
  }

  #ask(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> {
    const turn = this.#turn;
    if (!turn || turn.isCancelled || request.sessionId !== this.#id) return Promise.resolve(cancelled());
    const { promise, resolve } = Promise.withResolvers<RequestPermissionResponse>();
    signal.addEventListener('abort', () => resolve(cancelled()), { once: true });
    turn.events.put({ type: 'permission', request, answer: resolve });
    return promise;
  }

  /** After failures the next start waits, each time longer. */
  async #backOff(signal: AbortSignal): Promise<void> {
    if (this.#failures === 0) return;
    const ms = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#failures - 1));
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    clearTimeout(timer);
    if (signal.aborted) throw new AgentTrouble('Stopped.');
  }
}
