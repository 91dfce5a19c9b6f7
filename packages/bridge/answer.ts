import type { ContentBlock, RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { BotContext, StreamEvent } from '@parley/client/bot';
import type { AgentSession, AgentTurn } from './agent-session.ts';
import { AgentTrouble } from './agent-trouble.ts';
import { answerOf, type AskedPermission, cancelled, oneLine, questionOf } from './permission.ts';
import { SentFiles } from './sent-files.ts';
import type { TurnEvent } from './turn-events.ts';

/** The service takes 256 KiB of text; a sentence of ours has to fit behind. */
const MAX_TEXT_BYTES = 250 * 1024;

/** An answer that people gave to an agent which was ended before it learned it. */
export interface Carried {
  asked: AskedPermission;
  option: string | null;
}

interface AnswerParts {
  ctx: BotContext;
  session: AgentSession;
  log: (line: string) => void;
  /** Opens the session, and resolves to the prompt. Its trouble is said in the answer. */
  begin: () => Promise<ContentBlock[]>;
  deciders: () => Promise<'anyone' | 'admins' | string[]>;
  /** Notes a question before it is asked, and its end. */
  note: (asked: AskedPermission | null) => void;
  /** How many questions this handler has asked before. */
  asked: number;
  carried: Carried | null;
}

type Permission = Extract<TurnEvent, { type: 'permission' }>;

/** As the bot SDK reads thoughts, of the package `ai`. */
const thought = (text: string): StreamEvent => {
  const event = { type: 'reasoning-delta', text };
  return event;
};

/** One turn of the agent as answers in the conversation, with its questions between them (BRIDGE-3, BRIDGE-4). */
export class Answer {
  readonly #parts: AnswerParts;
  #turn: AgentTurn | null = null;
  #waiting: Permission | null = null;
  #asked: number;
  #carried: Carried | null;

  constructor(parts: AnswerParts) {
    this.#parts = parts;
    this.#asked = parts.asked;
    this.#carried = parts.carried;
  }

  /** Resolves when the agent has ended its turn; throws AgentTrouble, which the answer has told. */
  async run(): Promise<void> {
    const { ctx, log } = this.#parts;
    try {
      do {
        const files = new SentFiles({ bot: ctx.bot, log });
        const options = {
          get attachments() {
            return files.attachments;
          },
        };
        await ctx.stream(this.#segment(files), options);
      } while (await this.#askPeople());
    } catch (error) {
      // Whatever it still does is of no use; with the next message it is started again.
      if (error instanceof AgentTrouble) this.#parts.session.close();
      throw error;
    } finally {
      this.#waiting?.answer(cancelled());
      this.#turn?.cancel();
      await this.#turn?.settled;
    }
  }

  /** What the agent says until it ends or asks. */
  async *#segment(files: SentFiles): AsyncGenerator<string | StreamEvent> {
    const { ctx, begin, session } = this.#parts;
    let bytes = 0;
    try {
      this.#turn ??= session.prompt(await begin());
      for (;;) {
        const event = await this.#turn.events.next();
        if (event.type === 'end') break;
        if (event.type === 'trouble') throw event.error;
        if (event.type === 'permission') {
          if (this.#answerCarried(event)) continue;
          this.#waiting = event;
          yield bytes === 0 ? `I ask for permission: ${oneLine(event.request.toolCall.title ?? 'a tool', 200)}` : '';
          break;
        }
        if (event.type === 'part') void ctx.part(event.part).catch(() => {});
        else if (event.type === 'thought') yield thought(event.text);
        else {
          const text = event.type === 'text' ? event.text : files.take(event.block);
          bytes += Buffer.byteLength(text);
          if (bytes > MAX_TEXT_BYTES) throw new AgentTrouble('The answer is longer than a message can be.');
          yield text;
        }
      }
      await files.sent();
      if (bytes === 0 && !this.#waiting && files.attachments.length === 0) yield 'Done.';
    } catch (error) {
      if (!(error instanceof AgentTrouble)) throw error;
      yield `${bytes === 0 ? '' : '\n\n'}${error.message}`;
      throw error;
    }
  }

  /** Whether the agent waited for people, and goes on. */
  async #askPeople(): Promise<boolean> {
    const { ctx, session, note, deciders } = this.#parts;
    const waiting = this.#waiting;
    if (!waiting || !this.#turn) return false;
    const { request, answer } = waiting;
    const asked = questionOf(request, `p${this.#asked}`, session.capabilities.loadSession === true);
    this.#asked += 1;
    if (!asked) {
      answer(cancelled());
      this.#waiting = null;
      return true;
    }
    note(asked);
    const { key, text, options } = asked;
    const { option } = await ctx.ask({ key, text, options, deciders: await deciders() });
    note(null);
    this.#waiting = null;
    this.#tell(request, answer, answerOf(asked, option));
    return true;
  }

  #tell(request: RequestPermissionRequest, answer: Permission['answer'], given: RequestPermissionResponse): void {
    const { outcome } = given;
    const chosen =
      outcome.outcome === 'selected'
        ? request.options.find(({ optionId }) => optionId === outcome.optionId)
        : undefined;
    const status = chosen?.kind.startsWith('allow') ? 'running' : 'denied';
    for (const event of this.#turn?.reader.withStatus(request.toolCall, status) ?? []) this.#turn?.events.put(event);
    answer(given);
  }

  /** The same call again, after a restart: the answer that was given counts, once. */
  #answerCarried({ request, answer }: Permission): boolean {
    const carried = this.#carried;
    if (!carried) return false;
    this.#carried = null;
    const again = questionOf(request, carried.asked.key, true);
    if (again?.fingerprint !== carried.asked.fingerprint) return false;
    this.#tell(request, answer, answerOf(again, carried.option));
    return true;
  }
}
