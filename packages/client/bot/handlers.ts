import type { BotContext, MessageHandler, Middleware } from './bot.ts';

/** Runs middleware around the handlers of a message. */
export class Handlers {
  readonly #middleware: Middleware[] = [];
  readonly #ofMessage: MessageHandler[] = [];
  readonly #ofAny: MessageHandler[] = [];

  add(name: 'message' | 'any', handler: MessageHandler): void {
    (name === 'any' ? this.#ofAny : this.#ofMessage).push(handler);
  }

  use(middleware: Middleware): void {
    this.#middleware.push(middleware);
  }

  wants(isDispatched: boolean): boolean {
    return this.#ofAny.length > 0 || (isDispatched && this.#ofMessage.length > 0);
  }

  async run(ctx: BotContext): Promise<void> {
    const handlers = [...this.#ofAny, ...(ctx.isDispatched ? this.#ofMessage : [])];
    const enter = async (at: number): Promise<void> => {
      const middleware = this.#middleware[at];
      if (!middleware) {
        for (const handler of handlers) await handler(ctx);
        return;
      }
      let isCalled = false;
      const open = new Set<Promise<void>>();
      await middleware(ctx, () => {
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
}
