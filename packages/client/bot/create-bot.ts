import { createClient } from '../create-client.ts';
import type { Client } from '../client.ts';
import { systemClock } from '../environment.ts';
import type {
  Bot,
  BotOptions,
  ErrorHandler,
  InlineHandler,
  MessageFilter,
  MessageHandler,
  Middleware,
  StopOptions,
} from './bot.ts';
import { Arrival } from './arrival.ts';
import { openWith } from './bot-opening.ts';
import { Handlers } from './handlers.ts';
import { Intake } from './intake.ts';
import { withSession } from './sessions.ts';
import { readSetup } from './setup.ts';
import { endWith, logToStderr, onSignals } from './signals.ts';
import { Turn } from './turn.ts';
import { FAILED_TEXT, TurnStopped } from './turn-stopped.ts';

const GRACE_MS = 5_000;
/** The inline handler of a bot that sets none: it answers at once, so that users do not wait. */
const suggestNothing: InlineHandler = () => [];

/** Creates a bot: add handlers, then start it. */
export function createBot<Session = unknown>(options: BotOptions<Session> = {}): Bot<Session> {
  const {
    log = logToStderr,
    clock = systemClock,
    random = Math.random,
    turnsAtOnce = 50,
    turnsWaiting = 1_000,
    session,
  } = options;

  const handlers = new Handlers();
  let inline = suggestNothing;
  let intake: Intake | null = null;
  let arrival: Arrival | null = null;
  let stopping: Promise<void> | null = null;
  let takeBackSignals: (() => void) | null = null;

  const asMiddleware = (middleware: Middleware<Session>): Middleware => middleware as Middleware;
  if (session) handlers.use(asMiddleware(withSession(session)));

  const defaultCatch: ErrorHandler = async (error, ctx) => {
    log(describe(error));
    if (ctx instanceof Turn && ctx.isDispatched && !ctx.hasAnswered && !ctx.signal.aborted) await ctx.fail(FAILED_TEXT);
  };
  let onError = defaultCatch;

  /** Never throws. */
  const reportError = async (error: unknown, ctx: Turn | null): Promise<void> => {
    // A stopped turn ends with this error; it is not a failure.
    if (error instanceof TurnStopped || (ctx?.signal.aborted && isAbort(error))) return;
    try {
      await onError(error, ctx);
    } catch (second) {
      if (!(second instanceof TurnStopped)) log(describe(second));
    }
  };

  const running = (): Intake => {
    if (!intake) throw new Error('the bot has not been started');
    return intake;
  };

  const open = (client: Client): Intake => {
    if (intake) throw new Error('the bot has already been started');
    intake = new Intake({
      bot,
      client,
      clock,
      random,
      log,
      handlers,
      inline: (query, ctx) => inline(query, ctx),
      most: { running: turnsAtOnce, waiting: turnsWaiting },
      reportError,
    });
    return intake;
  };

  /** Tells the service what the handlers need. A bot that may not do so works without it. */
  const announce = async (client: Client): Promise<void> => {
    const { commands, wantsActions } = handlers;
    const username = client.account?.username ?? '';
    try {
      if (wantsActions) await client.call('setBotConfig', { username, handles_actions: true });
      if (commands.length > 0) await client.call('setBotCommands', { commands });
    } catch (error) {
      // A bot that is stopped meanwhile loses its connection.
      if (!stopping) await reportError(error, null);
    }
  };

  const bot: Bot<Session> = {
    get client() {
      return running().client;
    },
    get username() {
      return running().client.account?.username ?? '';
    },
    on(filter, handler) {
      handlers.add(filter as MessageFilter, asHandler(handler)); // as asHandler
      return bot;
    },
    command(command, handler) {
      handlers.addCommand(command, asHandler(handler));
      return bot;
    },
    action(pattern, handler) {
      handlers.addAction(pattern, asHandler(handler));
      return bot;
    },
    inline(handler) {
      inline = handler;
      return bot;
    },
    use(middleware) {
      handlers.use(asMiddleware(middleware));
      return bot;
    },
    catch(handler) {
      onError = handler as ErrorHandler; // as asHandler
      return bot;
    },
    async start({ signals = true } = {}) {
      const { url, token, WebSocket } = readSetup(options);
      const { fetch, network } = options;
      if (intake) throw new Error('the bot has already been started');
      const client = createClient({
        url,
        token,
        WebSocket,
        caps: ['nodrafts', 'ext'],
        clock,
        random,
        onError: (error) => void reportError(error, null),
        ...(fetch && { fetch }),
        ...(network && { network }),
      });
      open(client);
      arrival = new Arrival({ client, log, onRefused: () => signals && endWith(1) });
      if (signals) takeBackSignals = onSignals(() => bot.stop());
      try {
        const isConnected = await arrival.connected();
        if (isConnected) await announce(client);
        return isConnected;
      } catch (error) {
        await bot.stop({ graceMs: 0 });
        throw error;
      }
    },
    async stop({ graceMs = GRACE_MS }: StopOptions = {}) {
      arrival?.stop();
      stopping ??= intake?.stop(graceMs) ?? null;
      await stopping;
      takeBackSignals?.();
    },
  };
  openWith.set(bot, open);
  return bot;
}

/** A turn holds whatever session `withSession` has put there: inside, its type is unknown. */
const asHandler = (handler: unknown): MessageHandler => handler as MessageHandler;

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
