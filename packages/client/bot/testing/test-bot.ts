import type { Attachment, Decision, FormValues, Message, Part, TokenUsage } from '@parley/protocol';
import type { Client } from '../../client.ts';
import { Listeners } from '../../event-names.ts';
import type { Bot } from '../bot.ts';
import { openWith } from '../bot-opening.ts';
import type { Intake } from '../intake.ts';
import { MemoryService, type TestBotOptions } from './memory-service.ts';

/** A message that the bot has written. */
export interface TestReply {
  readonly text: string;
  readonly status: Message['status'];
  readonly parts: readonly Part[];
  readonly attachments: Message['attachments'];
  readonly usage: TokenUsage | undefined;
  /** The pieces in which a stream sent its text; what came at its end is the last one. */
  readonly pieces: readonly string[];
  readonly message: Message;
}

export interface MessageOptions {
  /** Who writes, by username: `alice`. */
  from?: string;
  /** The title of a group, where the bot answers if it is mentioned; by default the direct chat of `from`. */
  chat?: string;
  attachments?: readonly (Pick<Attachment, 'kind'> & Partial<Attachment>)[];
  /** The message that is answered. */
  replyTo?: Pick<Message, 'id'>;
}

export interface PressOptions {
  /** Who presses, by username: `alice`. */
  from?: string;
  /** The values of a form. */
  fields?: Readonly<Record<string, unknown>>;
  /** The message with the button; by default the bot's newest. */
  message?: Pick<Message, 'id'>;
}

export interface DecideOptions {
  /** Who decides, by username: `alice`. */
  from?: string;
  /** The values of a form. */
  fields?: FormValues;
  /** The question; by default the newest one that is open. */
  message?: Pick<Message, 'id'>;
}

const WRITER = 'alice';

/** Drives a bot without a service. The bot must not be started. */
export class TestBot {
  readonly #service: MemoryService;
  #intake: Intake;
  #listeners: Listeners;

  constructor(bot: Bot<never>, options: TestBotOptions = {}) {
    this.#service = new MemoryService(options);
    this.#listeners = newListeners();
    this.#intake = this.#open(bot);
  }

  #open(bot: Bot<never>): Intake {
    const open = openWith.get(bot);
    if (!open) throw new TypeError('testBot needs what createBot returns');
    return open(clientOf(this.#service, this.#listeners));
  }

  /**
   * Goes on with another bot, as after a kill: the handlers of the former one that wait for people never go on, and the
   * next answer to one of their questions makes a handler of the new bot run again.
   */
  restart<Session>(bot: Bot<Session>): void {
    this.#listeners = newListeners();
    this.#intake = this.#open(bot as unknown as Bot<never>); // as testBot
  }

  /** Sends a message; resolves to what the bot has written there once all its handlers are done. */
  async message(text: string, options: MessageOptions = {}): Promise<TestReply[]> {
    const { from = WRITER, chat: title = null, attachments = [], replyTo } = options;
    const chat = this.#service.chatOf(from, title);
    const message = this.#service.write(from, chat, text, {
      attachments: attachments as Attachment[], // its fields may all be absent
      reply_to_id: replyTo?.id ?? null,
    });
    this.#listeners.emit('messageNew', message);
    await this.#intake.idle();
    return this.#repliesAfter(message);
  }

  /** Presses a button, or submits a form (`form_submit:` and its id). */
  async action(action: string, options: PressOptions = {}): Promise<TestReply[]> {
    const { from = WRITER, fields, message: pressed } = options;
    const { written, bot } = this.#service;
    const isMeant = ({ message }: { message: Message }): boolean =>
      pressed ? message.id === pressed.id : message.sender.username === bot.username;
    const found = written.findLast(isMeant)?.message;
    if (!found) throw new Error('the bot has written no message that could have this button');
    const last = written.at(-1)?.message ?? found;
    const { id: message_id, conversation_id, channel_id, thread_root_id } = found;
    const { kind, username, display_name } = this.#service.account(from);
    this.#listeners.emit('componentAction', {
      action_id: this.#service.newId(),
      conversation_id,
      channel_id,
      thread_root_id,
      message_id,
      action,
      ...(fields && { fields }),
      from: { kind, username, display_name },
    });
    await this.#intake.idle();
    return this.#repliesAfter({ conversation_id, position: last.position });
  }

  /** Decides the newest open question of the bot; resolves to what the bot has written afterwards. */
  decide(option: string, { from = WRITER, fields, message }: DecideOptions = {}): Promise<TestReply[]> {
    return this.#endQuestion(message, { state: 'decided', decided_by: from, option, ...(fields && { fields }) });
  }

  /** Lets the newest open question expire. */
  expire({ message }: Pick<DecideOptions, 'message'> = {}): Promise<TestReply[]> {
    return this.#endQuestion(message, { state: 'expired' });
  }

  /** Takes the newest open question back, as its asker's owner may. */
  withdraw({ message }: Pick<DecideOptions, 'message'> = {}): Promise<TestReply[]> {
    return this.#endQuestion(message, { state: 'withdrawn' });
  }

  /** Asks for suggestions, as a person who types `@bot …`. */
  async inline(query: string, { from = WRITER }: Pick<MessageOptions, 'from'> = {}): Promise<readonly string[]> {
    const { id: conversation_id } = this.#service.chatOf(from, null);
    const { kind, username, display_name } = this.#service.account(from);
    return this.#intake.suggest({
      query_id: this.#service.newId(),
      query,
      conversation_id,
      from: { kind, username, display_name },
    });
  }

  /** All messages so far, of people and of the bot. */
  get messages(): readonly Message[] {
    return this.#service.written.map(({ message }) => message);
  }

  /** Ends the bot. */
  stop(): Promise<void> {
    return this.#intake.stop(0);
  }

  async #endQuestion(
    meant: Pick<Message, 'id'> | undefined,
    outcome: Pick<Decision, 'state' | 'decided_by' | 'option' | 'fields'>,
  ): Promise<TestReply[]> {
    const { written } = this.#service;
    const question = written.findLast(({ message }) =>
      meant ? message.id === meant.id : message.decision?.state === 'open',
    );
    if (!question) throw new Error('the bot has asked no question that is open');
    const last = written.at(-1)?.message ?? question.message;
    const { id: message_id, conversation_id, decision } = this.#service.endDecision(question.message.id, outcome);
    if (decision) this.#listeners.emit('decisionUpdated', { conversation_id, message_id, decision });
    await this.#intake.idle();
    return this.#repliesAfter({ conversation_id, position: last.position });
  }

  #repliesAfter({ conversation_id, position }: Pick<Message, 'conversation_id' | 'position'>): TestReply[] {
    const { bot, written } = this.#service;
    return written.flatMap(({ message, pieces }) =>
      message.sender.username === bot.username &&
      message.conversation_id === conversation_id &&
      message.position > position
        ? [
            {
              text: message.content,
              status: message.status,
              parts: message.parts ?? [],
              attachments: message.attachments,
              usage: message.usage,
              pieces,
              message,
            },
          ]
        : [],
    );
  }
}

/** Drives a bot without a service: `await testBot(bot).message('hi')` resolves to its replies. */
export const testBot = <Session>(bot: Bot<Session>, options?: TestBotOptions): TestBot =>
  // TestBot does not touch the session.
  new TestBot(bot as unknown as Bot<never>, options);

const newListeners = (): Listeners =>
  new Listeners((error) => {
    throw error;
  });

/** A client that is always live, and whose calls the memory answers. */
function clientOf(service: MemoryService, listeners: Listeners): Client {
  const call: Client['call'] = (name, ...[params]) => service.call(name, params ?? ({} as never));
  const api = new Proxy({} as Client['api'], {
    get: (_target, name) =>
      typeof name !== 'string' || name === 'then'
        ? undefined
        : (params: never) => service.call(name as 'getMe', params),
  });
  const client: Partial<Client> = {
    url: 'http://test.invalid',
    caps: ['nodrafts', 'ext'],
    api,
    state: 'live',
    stateCell: { get: () => 'live', subscribe: () => () => {} },
    onState: () => () => {},
    closeReason: null,
    account: service.bot,
    on: (name, listener) => listeners.add(name, listener),
    call,
    close: () => {},
    attach: () => () => {},
  };
  // A bot uses nothing else of its client.
  return client as Client;
}
