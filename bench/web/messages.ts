// What the web scenarios' conversations contain: messages with Markdown, and replies that grow.
import { textAt } from '../service/reply-fields.ts';
import type { Bot, RunningService } from '../service/running-service.ts';

/** The text of the message with this number. */
export const textOf = (at: number): string =>
  at % 10 === 0
    ? `message ${at} has a list:\n\n- **one**\n- \`two\` of [three](https://example.com)\n\n\`\`\`\nconst at = ${at};\n\`\`\``
    : `message ${at} ${'with some *words* that people write '.repeat(1 + (at % 5))}`;

/** The tokens of a reply, numbered from 1. */
type Tokens = (number: number) => string;

const prose: Tokens = (at) => (at % 40 === 0 ? '.\n\n' : ` word${at}`);
/** One code block; two tokens a line. */
export const code: Tokens = (at) =>
  at === 1
    ? '```ts\n'
    : at % 2 === 0
      ? `  const value${at} = `
      : `await read('file ${at}', { isWhole: true }); // ${at}\n`;

/** A reply that grows by one token per call. */
export class Reply {
  readonly #service: RunningService;
  readonly #bot: Bot;
  readonly #id: string;
  readonly #tokenAt: Tokens;
  #offset = 0;
  #tokens = 0;

  constructor(service: RunningService, bot: Bot, id: string, tokenAt: Tokens) {
    this.#service = service;
    this.#bot = bot;
    this.#id = id;
    this.#tokenAt = tokenAt;
  }

  static async start(service: RunningService, chatId: string, bot: Bot, tokenAt: Tokens = prose): Promise<Reply> {
    const message = await service.call('startMessageStream', bot.token, { chat_id: chatId });
    return new Reply(service, bot, textAt(message, 'id'), tokenAt);
  }

  async grow(): Promise<void> {
    this.#tokens += 1;
    const delta = this.#tokenAt(this.#tokens);
    this.#offset += delta.length;
    const input = { message_id: this.#id, delta, offset: this.#offset };
    await this.#service.call('appendMessageStream', this.#bot.token, input);
  }

  async finish(): Promise<void> {
    await this.#service.call('finishMessageStream', this.#bot.token, { message_id: this.#id });
  }
}
