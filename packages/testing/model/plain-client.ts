import type { Message } from '@parley/protocol';
import type { Actor } from '../world/actor.ts';
import type { TestSocket } from '../world/test-socket.ts';
import type { ReceivedFrame } from './frame-chain.ts';

/**
 * How a client reads what the interface leaves to it. `literal`: its place is the number of the frame that it handled
 * last. `careful`: it skips what is not above its place. `changing`: literal, and it takes `messageComplete` for a change of
 * a message that it has.
 */
export type Reading = 'literal' | 'careful' | 'changing';

interface Options {
  caps: string;
  reading: Reading;
  chatId: string;
}

/**
 * A client written from the interface alone, for one conversation: it knows hello, `seq`, `prev`, getUpdates over HTTP,
 * and the listed events, and nothing of our own rules. It tells what it missed (`lost`) by the end.
 */
export class PlainClient {
  readonly name: string;
  readonly actor: Actor;
  readonly messages = new Map<string, Message>();
  pins: string[] = [];
  readonly reactions = new Set<string>();
  readonly typing = new Set<string>();
  /** Ends of replies that it could not apply, and requested texts that did not come before the end. */
  lost = 0;
  readonly #options: Options;
  readonly #asked = new Set<string>();
  #place: number | null = null;
  #socket: TestSocket | null = null;
  #work: Promise<void> = Promise.resolve();

  constructor(actor: Actor, options: Options) {
    this.actor = actor;
    this.#options = options;
    this.name = `${options.reading} client with the caps "${options.caps}"`;
  }

  get isConnected(): boolean {
    return this.#socket?.isOpen === true;
  }

  async connect(): Promise<void> {
    await this.actor.socket(this.#options.caps, {
      onOpen: (socket) => {
        this.#socket = socket;
        this.#then(socket, () => this.#greet(socket));
      },
      onFrame: (frame) => {
        const socket = this.#socket;
        if (socket) this.#then(socket, () => this.#take(frame, socket));
      },
    });
  }

  /** Loses the connection, with all frames that are not handled yet. */
  async cut(): Promise<void> {
    const socket = this.#socket;
    this.#socket = null;
    await socket?.terminate();
  }

  /** Looks at the conversation, or at nothing. */
  async look(isHere: boolean): Promise<void> {
    const focus = isHere ? { chat_id: this.#options.chatId } : null;
    if (this.#socket) await this.actor.api.wsFocus({ socket: this.#socket.hello.socket, focus }).catch(() => {});
  }

  /** Resolves when everything that was received is handled. */
  async idle(): Promise<void> {
    for (let work; work !== this.#work;) await (work = this.#work);
  }

  #then(socket: TestSocket, step: () => Promise<void>): void {
    // Nothing of a lost connection is handled: the next hello tells of the gap.
    this.#work = this.#work.then(() => (this.#socket === socket ? step() : undefined));
  }

  async #greet(socket: TestSocket): Promise<void> {
    this.#asked.clear();
    if (this.#options.caps.includes('focus')) await this.look(true);
    const { head } = socket.hello;
    if (this.#place !== null) return head > this.#place ? this.#fetch() : undefined;
    this.#place = head;
    return this.#load();
  }

  async #load(): Promise<void> {
    const { api } = this.actor;
    const chat_id = this.#options.chatId;
    this.messages.clear();
    for (let cursor: string | undefined; ;) {
      const page = await api.getChatHistory({ chat_id, limit: 200, cursor });
      for (const message of page.items) {
        this.messages.set(message.id, message);
        for (const reaction of reactionsOf(message)) this.reactions.add(reaction);
      }
      if ((cursor = page.next_cursor) === undefined) break;
    }
    this.pins = (await api.getChat({ chat_id })).pinned_message_ids;
  }

  async #take(frame: ReceivedFrame, socket: TestSocket): Promise<void> {
    if (this.#isKnown(frame)) return;
    if (frame.prev > (this.#place ?? 0)) await this.#fetch();
    if (this.#socket !== socket || this.#isKnown(frame)) return;
    this.#apply(frame);
    this.#place = frame.seq;
  }

  #isKnown = ({ seq }: ReceivedFrame): boolean => this.#options.reading === 'careful' && seq <= (this.#place ?? 0);

  async #fetch(): Promise<void> {
    const { frames, truncated } = await this.actor.api.getUpdates({ since: this.#place ?? 0 });
    if (truncated) return this.#load();
    for (const frame of frames) {
      this.#apply(frame);
      this.#place = frame.seq;
    }
    return undefined;
  }

  #apply({ method, params }: ReceivedFrame): void {
    switch (method) {
      case 'events.messageNew':
      case 'events.messageComplete':
        return this.#store(params as unknown as Message, method === 'events.messageComplete');
      case 'events.messageDelta':
        return this.#append(params as unknown as { id: string; delta: string; offset: number });
      case 'events.messageDraftPatch':
        return this.#patch(params as unknown as Patch);
      case 'events.messageDeleted':
        for (const id of params['ids'] as string[]) {
          this.messages.delete(id);
          this.#asked.delete(id);
        }
        return undefined;
      case 'events.messagePinned':
        return this.#pin(params['message_id'] as string | null, params['pinned'] === true);
      case 'events.reactionAdded':
      case 'events.reactionRemoved': {
        const { message_id, emoji, reactor } = params as { message_id: string; emoji: string; reactor: Named };
        const reaction = `${message_id} ${emoji} ${reactor.username}`;
        if (method === 'events.reactionAdded') this.reactions.add(reaction);
        else this.reactions.delete(reaction);
        return undefined;
      }
      case 'events.typing': {
        const { conversation_id, channel_id, actor, is_typing } = params as unknown as Typing;
        const who = `${channel_id ?? conversation_id} ${actor.username}`;
        if (is_typing) this.typing.add(who);
        else this.typing.delete(who);
        return undefined;
      }
      default:
        return undefined;
    }
  }

  #store(message: Message, isEnd: boolean): void {
    const { id, conversation_id } = message;
    if (conversation_id !== this.#options.chatId) return;
    if (isEnd && this.#options.reading === 'changing' && !this.messages.has(id)) this.lost += 1;
    else this.messages.set(id, message);
    if (this.#asked.delete(id) && isEnd) this.lost += 1;
  }

  #append({ id, delta, offset }: { id: string; delta: string; offset: number }): void {
    const message = this.messages.get(id);
    const have = message === undefined ? -1 : Buffer.byteLength(message.content);
    if (offset <= have) return;
    if (message === undefined || offset - Buffer.byteLength(delta) !== have) this.#ask(id);
    else this.messages.set(id, { ...message, content: message.content + delta });
  }

  #patch({ id, base_rev, rev, ops }: Patch): void {
    const message = this.messages.get(id);
    if (message?.content_revision !== base_rev) return this.#ask(id);
    const lines = message.content.split('\n');
    for (const { at, del, ins } of ops.toReversed()) lines.splice(at, del, ...ins);
    this.messages.set(id, { ...message, content: lines.join('\n'), content_revision: rev });
    return undefined;
  }

  /** "If it lacks base_rev, it requests the draft whole": once, until it comes. */
  #ask(id: string): void {
    if (this.#asked.has(id) || !this.#socket) return;
    this.#asked.add(id);
    void this.actor.api.wsFocus({ socket: this.#socket.hello.socket, snapshots: [id] }).catch(() => {});
  }

  #pin(id: string | null, pinned: boolean): void {
    this.pins = id === null ? [] : this.pins.filter((other) => other !== id);
    if (pinned && id !== null) this.pins.unshift(id);
  }
}

interface Named {
  username: string;
}

interface Typing {
  conversation_id: string;
  channel_id?: string | null;
  actor: Named;
  is_typing: boolean;
}

interface Patch {
  id: string;
  base_rev: number;
  rev: number;
  ops: { at: number; del: number; ins: string[] }[];
}

/** The reactions of a message, each as one text. */
export const reactionsOf = ({ id, reactions }: Message): string[] =>
  reactions.flatMap(({ emoji, reactors }) => reactors.map(({ username }) => `${id} ${emoji} ${username}`));
