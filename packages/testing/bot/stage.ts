// For tests: bots in a real service.
import { type Bot, type BotOptions, createBot } from '@parley/client/bot';
import type { Message } from '@parley/protocol';
import type { Actor } from '../world/actor.ts';
import { ChaosProxy } from '../sdk/chaos-proxy.ts';
import type { TestSocket } from '../world/test-socket.ts';
import { createWorld, type World, type WorldOptions } from '../world/world.ts';

export { WrittenSource } from './written-source.ts';

/** Alice, her bot's account, their direct chat, and a network that the bot's daemons share. */
export class BotStage implements AsyncDisposable {
  readonly world: World;
  readonly alice: Actor;
  readonly account: Actor;
  readonly chatId: string;
  readonly socket: TestSocket;
  readonly proxy: ChaosProxy;
  readonly lines: string[] = [];
  readonly #bots: Bot[] = [];

  private constructor(world: World, parts: Pick<BotStage, 'alice' | 'account' | 'chatId' | 'socket' | 'proxy'>) {
    this.world = world;
    this.alice = parts.alice;
    this.account = parts.account;
    this.chatId = parts.chatId;
    this.socket = parts.socket;
    this.proxy = parts.proxy;
  }

  static async start(options: WorldOptions = {}): Promise<BotStage> {
    const world = await createWorld(options);
    const alice = await world.person('alice');
    const account = await world.bot(alice);
    const { id: chatId } = await world.direct(alice, account);
    const socket = await alice.socket();
    const proxy = await ChaosProxy.start(world.url);
    return new BotStage(world, { alice, account, chatId, socket, proxy });
  }

  /** A daemon, not started yet; with `isBehindProxy` it connects through this stage's network. */
  bot({ isBehindProxy = false, ...options }: BotOptions & { isBehindProxy?: boolean } = {}): Bot {
    const bot = createBot({
      url: isBehindProxy ? this.proxy.url : this.world.url,
      token: this.account.token,
      log: (line) => void this.lines.push(line),
      ...options,
    });
    this.#bots.push(bot);
    return bot;
  }

  say(text: string, chat_id = this.chatId, who = this.alice): Promise<Message> {
    return who.api.sendMessage({ chat_id, text });
  }

  /** The answer to a message, once it has ended. */
  answerTo({ id }: Pick<Message, 'id'>, socket = this.socket): Promise<Message> {
    return socket.event('messageComplete', ({ reply_to_id }) => reply_to_id === id);
  }

  /** The placeholder of the answer to a message. */
  placeholderOf({ id }: Pick<Message, 'id'>, socket = this.socket): Promise<Message> {
    return socket.event('messageNew', ({ reply_to_id }) => reply_to_id === id);
  }

  async history(chat_id = this.chatId): Promise<Message[]> {
    return (await this.alice.api.getChatHistory({ chat_id })).items;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#bots.map((bot) => bot.stop({ graceMs: 0 })));
    await this.proxy[Symbol.asyncDispose]();
    await this.world.close();
  }
}
