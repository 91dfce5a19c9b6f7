import type {
  Account,
  Attachment,
  Conversation,
  Decision,
  Message,
  OperationName,
  Params,
  Result,
} from '@parley/protocol';
import { emojiForm } from '@parley/protocol/emoji-form';
import { withPart } from '@parley/protocol/part-changes';
import { ApiError } from '../../api.ts';
import type { Awaitable } from '../awaitable.ts';
import { messageOfParams } from '../../sent-message.ts';
import { withoutMention } from '../without-mention.ts';

/** What operations answer, instead of the service. */
export type Answers = { [Name in OperationName]?: (params: Params<Name>) => Awaitable<Result<Name>> };

export interface TestBotOptions {
  /** The bot's username, `owner:slug`: `ann:bot`. */
  username?: string;
  /** What `ctx.config()` returns. */
  config?: Readonly<Record<string, string>>;
  secrets?: Readonly<Record<string, string>>;
  /** Answers of operations that the test service does not know, and replacements of those that it knows. */
  api?: Answers;
}

interface Written {
  message: Message;
  /** The pieces in which the text of a stream arrived. */
  pieces: string[];
}

const START = Date.UTC(2026, 0, 1);
/** The options of a form for which none were given. */
const submit = [
  { id: 'submit', label: 'Submit', style: 'primary' },
  { id: 'decline', label: 'Decline' },
];

/** The operations that a bot needs for its answers, in memory. It checks no rights and no limits. */
export class MemoryService {
  readonly bot: Account;
  readonly #options: TestBotOptions;
  readonly #written: Written[] = [];
  readonly #chats = new Map<string, Conversation>();
  /** What was asked, by the id of the decision. */
  readonly #asked = new Map<string, string>();
  #ids = 0;

  constructor(options: TestBotOptions) {
    this.#options = options;
    const { username = 'ann:bot' } = options;
    const [parent_username = '', slug = ''] = username.split(':');
    this.bot = { ...this.account(username), kind: 'agent', display_name: slug, parent_username };
  }

  /** The messages so far, in their order. */
  get written(): readonly Readonly<Written>[] {
    return this.#written.filter(({ message }) => message.deleted_at === undefined);
  }

  /** An id that is the same in each run of a test. */
  newId(): string {
    this.#ids += 1;
    return `00000000-0000-7000-8000-${String(this.#ids).padStart(12, '0')}`;
  }

  account(username: string): Account {
    return { username, kind: 'human', display_name: username, created_at: new Date(START).toISOString() };
  }

  /** The group of a title, or the direct chat of a person with the bot. */
  chatOf(from: string, title: string | null): Conversation {
    const name = title === null ? `@${from}` : title;
    const known = [...this.#chats].find(([known]) => known === name)?.[1];
    if (known) return known;
    const at = new Date(START).toISOString();
    const chat: Conversation = {
      id: this.newId(),
      kind: title === null ? 'direct' : 'group',
      title,
      description: null,
      avatar_url: null,
      visibility: 'private',
      posting: 'everyone',
      participants: [this.account(from), this.bot].map(({ username, kind, display_name }) => ({
        username,
        kind,
        display_name,
        role: 'member',
      })),
      participant_count: 2,
      people_count: 1,
      channels: [],
      pinned_message_ids: [],
      is_muted: false,
      unread_count: 0,
      unread_mentions: 0,
      needs_you: 0,
      open_decisions: [],
      last_read_message_id: null,
      last_read_position: 0,
      last_message: null,
      created_at: at,
      updated_at: at,
    };
    this.#chats.set(name, chat);
    return chat;
  }

  /** Stores a message of a person. */
  write(from: string, chat: Conversation, content: string, more: Partial<Message>): Message {
    const { username } = this.bot;
    const answered = this.#written.find(({ message }) => message.id === more.reply_to_id)?.message;
    const isReply = answered?.sender.username === username;
    const isMeant = chat.kind === 'direct' || isReply || withoutMention(content, username) !== content.trim();
    return this.#add({
      conversation_id: chat.id,
      sender: this.account(from),
      content,
      dispatch: isMeant ? [username] : [],
      ...more,
    });
  }

  async call<Name extends OperationName>(name: Name, params: Params<Name>): Promise<Result<Name>> {
    const answer = this.#options.api?.[name] ?? this.#answers[name];
    if (!answer)
      throw new Error(`the test has no answer for ${name}: pass one as testBot(bot, { api: { ${name}: … } })`);
    return answer(params);
  }

  readonly #answers: Answers = {
    getMe: () => this.bot,
    getChat: ({ chat_id }) => {
      const chat = [...this.#chats.values()].find(({ id }) => id === chat_id);
      if (!chat) throw notFound('conversation');
      return chat;
    },
    getMessages: ({ message_ids }) => ({
      items: this.written.flatMap(({ message }) => (message_ids.includes(message.id) ? message : [])),
    }),
    getChatHistory: ({ chat_id, channel_id = null, thread_root_id = null, after }) => {
      const start = this.#written.find(({ message }) => message.id === after)?.message.position ?? 0;
      const isIn = (message: Message): boolean =>
        message.conversation_id === chat_id &&
        message.channel_id === channel_id &&
        message.thread_root_id === thread_root_id &&
        message.position > start;
      return { items: this.written.flatMap(({ message }) => (isIn(message) ? message : [])) };
    },
    getRunConfig: ({ message_id }) => {
      const { config = {}, secrets = {} } = this.#options;
      return { user: this.#find(message_id).message.sender.username, config, secrets };
    },
    sendMessage: (params) => this.#repeated(params.client_msg_id) ?? this.#add(messageOfParams(withoutNull(params))),
    startMessageStream: (params) => {
      const repeated = this.#repeated(params.client_msg_id);
      return repeated
        ? { ...repeated, resumed: true }
        : this.#add({ ...messageOfParams({ ...withoutNull(params), text: '' }), status: 'streaming' });
    },
    appendMessageStream: ({ message_id, delta, text, part }) => {
      const found = this.#find(message_id);
      const { message, pieces } = found;
      if (delta) pieces.push(delta);
      const content = text ?? message.content + (delta ?? '');
      const content_revision = message.content_revision + 1;
      found.message = { ...message, content, content_revision };
      if (part) {
        // As the service stores it: a place is always there (PART-8).
        const placed = { offset: byteLength(content), ...part } as Parameters<typeof withPart>[1];
        found.message = { ...found.message, parts: [...(withPart(message.parts, placed) ?? message.parts ?? [])] };
      }
      return { cancel_requested: false, offset: byteLength(content), content_revision };
    },
    finishMessageStream: ({ message_id, text, attachments, status, usage }) => {
      const found = this.#find(message_id);
      if (status === 'cancelled' && !text && found.message.content === '' && !found.message.parts?.length)
        return this.#bury(found);
      const rest = text?.slice(found.message.content.length) ?? '';
      if (rest !== '') found.pieces.push(rest);
      found.message = {
        ...found.message,
        status: status ?? 'complete',
        finalized_at: new Date(START).toISOString(),
        ...(typeof text === 'string' && { content: text }),
        ...(attachments && { attachments: attachments as Attachment[] }),
        ...(usage && { usage }),
      };
      return found.message;
    },
    setMessageReaction: ({ message_id, emoji: given }) => {
      const emoji = emojiForm(given);
      const { username, kind, display_name } = this.bot;
      const found = this.#find(message_id);
      const reactor = { username, kind, display_name };
      found.message = { ...found.message, reactions: [{ emoji, count: 1, reactors: [reactor] }] };
      return { message_id, reactor, emoji, created_at: found.message.created_at };
    },
    sendChatAction: () => undefined,
    askDecision: (params) => {
      const repeated = this.#repeated(params.client_msg_id);
      if (!repeated) return this.#addQuestion(params);
      if (this.#asked.get(repeated.id) !== payloadOf(params)) throw conflict();
      return repeated;
    },
    getDecisions: () => ({
      items: this.#written.flatMap(({ message }) => (message.decision ? message : [])).toReversed(),
    }),
    withdrawDecision: ({ decision_id }) => this.endDecision(decision_id, { state: 'withdrawn' }),
  };

  /** Ends an open decision; throws if it has ended, or the answer does not fit. */
  endDecision(id: string, outcome: Pick<Decision, 'state' | 'decided_by' | 'option' | 'fields'>): Message {
    const found = this.#find(id);
    const { decision } = found.message;
    if (!decision) throw notFound('decision');
    if (decision.state !== 'open') throw new Error(`the question is ${decision.state}`);
    const { state, option, fields = {} } = outcome;
    if (state === 'decided' && !decision.options.some((one) => one.id === option))
      throw new Error(`the question has no option ${option}, but ${decision.options.map((one) => one.id).join(', ')}`);
    const form = option === 'decline' ? [] : (decision.form ?? []);
    const missing = form.find(({ key, required }) => required && fields[key] === undefined);
    if (state === 'decided' && missing) throw new Error(`the form needs a value for ${missing.key}`);
    const unknown = Object.keys(fields).find((key) => !form.some((field) => field.key === key));
    if (unknown !== undefined) throw new Error(`the form has no field ${unknown}`);
    const decided_at = state === 'decided' ? new Date(START).toISOString() : undefined;
    found.message = {
      ...found.message,
      decision: { ...decision, ...outcome, ...(decided_at !== undefined && { decided_at }) },
    };
    return found.message;
  }

  #addQuestion(params: Params<'askDecision'>): Message {
    const { text, options, form, deciders, private: isPrivate, expires_in: _seconds, ...place } = params;
    if (!options && !form) throw new Error('a question needs options, or a form');
    const added = this.#add(messageOfParams({ ...withoutNull(place), text }));
    const decision: Decision = {
      id: added.id,
      kind: 'question',
      state: 'open',
      options: (options ?? submit) as Decision['options'], // as given
      ...(form && { form: form as NonNullable<Decision['form']> }), // as given
      deciders: deciders ?? 'anyone',
      ...(isPrivate && { private: true }),
    };
    const found = this.#find(added.id);
    found.message = { ...added, decision };
    this.#asked.set(added.id, payloadOf(params));
    return found.message;
  }

  /** A reply that ends without anything is deleted; its client_msg_id stays taken. */
  #bury(found: Written): Message {
    const deleted_at = new Date(START).toISOString();
    found.message = { ...found.message, status: 'cancelled', deleted_at };
    return found.message;
  }

  #find(id: string): Written {
    const found = this.#written.find(({ message }) => message.id === id);
    if (!found) throw notFound('message');
    return found;
  }

  #repeated(name: string | null | undefined): Message | undefined {
    const found = this.#written.find(
      ({ message }) => message.client_msg_id === name && message.sender.username === this.bot.username,
    );
    return name === undefined || name === null ? undefined : found?.message;
  }

  #add(given: Partial<Message> & Pick<Message, 'conversation_id'>): Message {
    const position = this.#written.length + 1;
    const message: Message = {
      id: this.newId(),
      position,
      channel_id: null,
      thread_root_id: null,
      sender: this.bot,
      content: '',
      attachments: [],
      reply_to_id: null,
      mentions: [],
      dispatch: [],
      reactions: [],
      // A second apart, so that their order is also that of their times.
      created_at: new Date(START + position * 1_000).toISOString(),
      content_revision: 1,
      status: 'complete',
      ...given,
    };
    this.#written.push({ message, pieces: [] });
    return message;
  }
}

const withoutNull = <Given extends object>(params: Given): Given =>
  // The fields that the params need are never null.
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null)) as Given;

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

const payloadOf = ({ client_msg_id: _id, ...payload }: Params<'askDecision'>): string => JSON.stringify(payload);

const conflict = (): ApiError =>
  new ApiError(409, { error_code: 'conflict', description: 'this client_msg_id was sent with another payload' });

const notFound = (what: string): ApiError =>
  new ApiError(404, { error_code: 'not_found', description: `not found: ${what}` });
