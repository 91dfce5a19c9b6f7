import { createClient } from '../create-client.ts';
import { systemClock } from '../environment.ts';
import type { Bot, BotOptions, ErrorHandler, InlineHandler, StopOptions } from './bot.ts';
import { Arrival } from './arrival.ts';
import { Handlers } from './handlers.ts';
import { Intake } from './intake.ts';
import { readSetup } from './setup.ts';
import { endWith, logToStderr, onSignals } from './signals.ts';
import { Turn } from './turn.ts';
import { FAILED_TEXT, TurnStopped } from './turn-stopped.ts';

const GRACE_MS = 5_000;
/** The inline handler of a bot that sets none: it answers at once, so that users do not wait. */
const suggestNothing: InlineHandler = () => [];

/** Creates a bot: add handlers, then start it. */
export function createBot(options: BotOptions = {}): Bot {
  const {
    log = logToStderr,
    clock = systemClock,
    random = Math.random,
    turnsAtOnce = 50,
    turnsWaiting = 1_000,
  } = options;
  const { url, token, WebSocket } = readSetup(options);

  const handlers = new Handlers();
  let inline = suggestNothing;
  let intake: Intake | null = null;
  let arrival: Arrival | null = null;
  let stopping: Promise<void> | null = null;
  let takeBackSignals: (() => void) | null = null;

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

  const bot: Bot = {
    get client() {
      return running().client;
    },
    get username() {
      return running().client.account?.username ?? '';
    },
    on(name, handler) {
      handlers.add(name, handler);
      return bot;
    },
    inline(handler) {
      inline = handler;
      return bot;
    },
    use(middleware) {
      handlers.use(middleware);
      return bot;
    },
    catch(handler) {
      onError = handler;
      return bot;
    },
    async start({ signals = true } = {}) {
      if (intake) throw new Error('the bot has already been started');
      const { fetch, network } = options;
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
      const most = { running: turnsAtOnce, waiting: turnsWaiting };
      intake = new Intake({
        bot,
        client,
        clock,
        random,
        log,
        handlers,
        inline: (query, ctx) => inline(query, ctx),
        most,
        reportError,
      });
      arrival = new Arrival({ client, log, onRefused: () => signals && endWith(1) });
      if (signals) takeBackSignals = onSignals(() => bot.stop());
      try {
        return await arrival.connected();
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
  return bot;
}

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
