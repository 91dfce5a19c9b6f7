import type { BotCommand, MessageFilter, MessageHandler, Middleware } from './bot.ts';
import type { Turn } from './turn.ts';

interface Filtered {
  /** Resolves to false if the handler does not want the message or press. */
  fits: (turn: Turn) => boolean | Promise<boolean>;
  handler: MessageHandler;
}

/** Runs middleware around the handlers of a message or press. */
export class Handlers {
  readonly #middleware: Middleware[] = [];
  readonly #ofMessage: Filtered[] = [];
  readonly #ofAny: Filtered[] = [];
  readonly #ofAction: Filtered[] = [];
  readonly #ofCommand = new Map<string, { handler: MessageHandler; info: BotCommand | undefined }>();

  add(filter: MessageFilter, handler: MessageHandler): void {
    if (filter === 'any') this.#ofAny.push({ fits: () => true, handler });
    else this.#ofMessage.push({ fits: fitting(filter), handler });
  }

  /** Throws a TypeError for a name that no command can have. */
  addCommand(given: string | BotCommand, handler: MessageHandler): void {
    const info = typeof given === 'string' ? undefined : given;
    const name = (typeof given === 'string' ? given : given.command).replace(/^\//, '');
    if (!/^[a-z][a-z0-9_]{0,31}$/.test(name))
      throw new TypeError(`a command is / and 1 to 32 of a-z, 0-9 and _, starting with a letter, not "${name}"`);
    this.#ofCommand.set(name, { handler, info: info && { ...info, command: name } });
  }

  addAction(pattern: string | RegExp, handler: MessageHandler): void {
    const fits =
      typeof pattern === 'string'
        ? ({ press }: Turn) => press?.action === pattern
        : (turn: Turn) => turn.finds(pattern, turn.press?.action ?? '');
    this.#ofAction.push({ fits, handler });
  }

  use(middleware: Middleware): void {
    this.#middleware.push(middleware);
  }

  /** The commands that the app suggests. */
  get commands(): BotCommand[] {
    return [...this.#ofCommand.values()].flatMap(({ info }) => info ?? []);
  }

  get wantsActions(): boolean {
    return this.#ofAction.length > 0;
  }

  wants(isDispatched: boolean): boolean {
    return this.#ofAny.length > 0 || (isDispatched && this.#ofMessage.length + this.#ofCommand.size > 0);
  }

  async run(turn: Turn): Promise<void> {
    const enter = async (at: number): Promise<void> => {
      const middleware = this.#middleware[at];
      if (!middleware) {
        for (const { fits, handler } of this.#for(turn)) {
          turn.match = null;
          if (await fits(turn)) await handler(turn);
        }
        return;
      }
      let isCalled = false;
      const open = new Set<Promise<void>>();
      await middleware(turn, () => {
        if (isCalled) return Promise.reject(new Error('a middleware called next() twice'));
        isCalled = true;
        const inner = enter(at + 1).finally(() => open.delete(inner));
        inner.catch(() => {});
        open.add(inner);
        return inner;
      });
      // Middleware may not await `next()`: wait here, so that its errors are not lost.
      await Promise.all(open);
    };
    await enter(0);
  }

  #for({ press, isDispatched, command }: Turn): readonly Filtered[] {
    if (press) return this.#ofAction;
    if (!isDispatched) return this.#ofAny;
    const own = command && this.#ofCommand.get(command.name);
    return [...this.#ofAny, ...(own ? [{ fits: () => true, handler: own.handler }] : this.#ofMessage)];
  }
}

function fitting(filter: Exclude<MessageFilter, 'any'>): Filtered['fits'] {
  if (typeof filter === 'function') return filter;
  if (filter instanceof RegExp) return (turn) => turn.finds(filter, turn.text);
  const kind = filter.slice('message:'.length);
  return ({ message }) => filter === 'message' || message.attachments.some((attachment) => attachment.kind === kind);
}
