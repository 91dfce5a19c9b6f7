import { type BotContext, createBot, type Bot } from '@parley/client/bot';
import { AgentSession, type SessionParts } from './agent-session.ts';
import { AgentTrouble } from './agent-trouble.ts';
import { Answer, type Carried } from './answer.ts';
import { promptBlocks } from './prompt-blocks.ts';
import { StateFile } from './state-file.ts';

/** Programs of agents that run at once. */
const MAX_AGENTS = 16;
const BUSY = 'The agent waits for an answer to its question. Decide it, then write again.';
const VOID =
  'The agent was restarted while it asked, so the question no longer counts. Please write your message again.';

export interface BridgeOptions extends Pick<SessionParts, 'command' | 'env' | 'hasFiles'> {
  url: string;
  token: string;
  /** The folder for what outlives the bridge. */
  state: string;
  /** The folder that the agent works in; by default one for each timeline, below `state`. */
  cwd?: string;
  /** Who may answer its permission prompts: by default the person who asked. */
  deciders?: 'asker' | 'admins' | 'anyone';
  startMs?: number;
  log?: (line: string) => void;
}

/** A bot that passes what people say to an agent of the Agent Client Protocol. */
export class Bridge {
  readonly bot: Bot;
  readonly #options: BridgeOptions;
  readonly #state: StateFile;
  readonly #sessions = new Map<string, AgentSession>();
  /** Timelines whose agent works or waits. */
  readonly #busy = new Set<string>();
  readonly #log: (line: string) => void;

  /** Throws if the folder for the state cannot be used. */
  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#log = options.log ?? ((line) => void process.stderr.write(`${line}\n`));
    this.#state = new StateFile(options.state);
    const { url, token } = options;
    this.bot = createBot({ url, token, log: this.#log });
    this.bot.on('message', (ctx) => this.#handle(ctx));
  }

  /** As of a bot. Questions that nobody can go on with are withdrawn. */
  async start(options?: { signals?: boolean }): Promise<boolean> {
    const isConnected = await this.bot.start(options);
    if (isConnected) await this.#withdrawVoid().catch((error: unknown) => this.#log(String(error)));
    return isConnected;
  }

  async stop(): Promise<void> {
    await this.bot.stop({ graceMs: 0 });
    this.close();
  }

  /** Ends the programs. */
  close(): void {
    for (const session of this.#sessions.values()) session.close();
  }

  async #handle(ctx: BotContext): Promise<unknown> {
    const { id, conversation_id, channel_id, thread_root_id } = ctx.message;
    const timeline = `${conversation_id}|${channel_id ?? ''}|${thread_root_id ?? ''}`;
    if (this.#busy.has(timeline)) return ctx.reply(BUSY);
    this.#busy.add(timeline);
    try {
      const carried = await this.#carriedTo(ctx);
      if (carried && !carried.asked.canLoad) return await ctx.reply(VOID);
      await this.#answer(ctx, timeline, carried);
    } catch (error) {
      if (!(error instanceof AgentTrouble)) throw error;
      this.#log(`${id}: ${error.message}`);
    } finally {
      this.#busy.delete(timeline);
    }
    return undefined;
  }

  /** The answer to the question that this handler waited for when the bridge was ended. */
  async #carriedTo(ctx: BotContext): Promise<Carried | null> {
    const asked = this.#state.asked(ctx.message.id);
    if (!asked) return null;
    const { key, text, options } = asked;
    const { option } = await ctx.ask({ key, text, options, deciders: await this.#deciders(ctx) });
    this.#state.keepAsked(ctx.message.id, null);
    return { asked, option };
  }

  async #answer(ctx: BotContext, timeline: string, carried: Carried | null): Promise<void> {
    const { url } = this.#options;
    const session = this.#sessionOf(timeline);
    const begin = async () => {
      const how = await session.open(ctx.signal);
      if (carried && how !== 'loaded' && how !== 'same') throw new AgentTrouble(VOID);
      if (carried) return [{ type: 'text' as const, text: resumption(carried) }];
      if (how === 'forgotten')
        void ctx
          .part({
            id: 'session',
            type: 'notice',
            text: 'The agent has a new session: it remembers nothing from before.',
          })
          .catch(() => {});
      return promptBlocks(ctx, { url, folder: session.folder, capabilities: session.capabilities });
    };
    await new Answer({
      ctx,
      session,
      log: this.#log,
      begin,
      deciders: () => this.#deciders(ctx),
      note: (asked) => this.#state.keepAsked(ctx.message.id, asked),
      asked: carried ? Number(carried.asked.key.slice(1)) + 1 : 0,
      carried,
    }).run();
  }

  /** People alone decide: if an agent asks, the human on whose behalf it does. */
  async #deciders(ctx: BotContext): Promise<'anyone' | 'admins' | string[]> {
    const { deciders = 'asker' } = this.#options;
    if (deciders === 'anyone') return deciders;
    if (deciders === 'admins' && (await ctx.chat).kind === 'group') return deciders;
    return [ctx.from.kind === 'human' ? ctx.from.username : (await ctx.config()).user];
  }

  #sessionOf(timeline: string): AgentSession {
    const known = this.#sessions.get(timeline);
    // The last used is the newest.
    this.#sessions.delete(timeline);
    const { command, env, hasFiles, cwd, startMs = 60_000 } = this.#options;
    const folder = cwd ?? this.#state.folderOf(timeline);
    const session =
      known ??
      new AgentSession({ command, env, hasFiles, folder, startMs, state: this.#state, timeline, log: this.#log });
    this.#makeRoom();
    this.#sessions.set(timeline, session);
    return session;
  }

  #makeRoom(): void {
    if (this.#sessions.size < MAX_AGENTS) return;
    for (const [timeline, session] of this.#sessions) {
      if (this.#busy.has(timeline)) continue;
      session.close();
      this.#sessions.delete(timeline);
      return;
    }
    throw new AgentTrouble('Too many conversations with the agent at once.');
  }

  /** Questions of an agent that has forgotten them: their handlers then run again, and say so. */
  async #withdrawVoid(): Promise<void> {
    const messageIds = this.#state.void();
    if (messageIds.length === 0) return;
    const { items } = await this.bot.client.api.getDecisions({ state: 'open', limit: 200 });
    for (const { id, client_msg_id = '' } of items)
      if (messageIds.some((messageId) => client_msg_id.startsWith(`ask:${messageId}:`)))
        await this.bot.client.api.withdrawDecision({ decision_id: id });
  }
}

function resumption({ asked, option }: Carried): string {
  const label = asked.options.find(({ id }) => id === option)?.label;
  const said = label === undefined ? 'nobody has answered, so it is not allowed' : `the answer is "${label}"`;
  return `You were interrupted while you asked for permission (${asked.title}). Now ${said}. Go on with what you were doing; if you still need this permission, ask for the same again.`;
}
