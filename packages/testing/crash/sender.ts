import { setTimeout as pause } from 'node:timers/promises';
import type { Message } from '@parley/protocol';
import type { Actor } from '../world/actor.ts';
import type { TestSocket } from '../world/test-socket.ts';
import type { Tally } from './tally.ts';

/** One message, from its first attempt to its acknowledgement. */
export interface Sending {
  clientMsgId: string;
  text: string;
  /** The highest position that was acknowledged to anyone before this message was first sent. */
  floor: number;
  acknowledged: Message | null;
}

/** The acknowledged positions of a conversation. */
export interface Positions {
  highest: number;
}

/** A service that is unavailable from time to time. */
export interface Fickle {
  /** Repeats until it is answered. `onLate`: called when an attempt gets no answer. */
  insist<Value>(act: () => Promise<Value>, onLate?: () => void): Promise<Value>;
  report(problem: string): void;
}

interface Load {
  service: Fickle;
  tally: Tally;
  actor: Actor;
  chatId: string;
  positions: Positions;
  over: 'http' | 'socket';
  /** Mentions this agent in every n-th message. */
  agent: string;
  mentionEvery?: number;
  /** Pause after each acknowledged message, in milliseconds. */
  paceMs?: number;
}

/** Sends messages continuously, each with a `client_msg_id`, and retries until they are acknowledged. */
export class Sender {
  readonly sendings: Sending[] = [];
  readonly #load: Load;
  #socket: Promise<TestSocket> | null = null;

  constructor(load: Load) {
    this.#load = load;
  }

  /** Runs parallel loops until the tally stops. */
  async run(loops: number): Promise<void> {
    await Promise.all(Array.from({ length: loops }, () => this.#sendAll()));
  }

  async #sendAll(): Promise<void> {
    const { tally, actor, agent, positions, mentionEvery = 40, paceMs = 0 } = this.#load;
    while (!tally.isStopping) {
      const number = this.sendings.length + 1;
      const mention = number % mentionEvery === 0 ? `@${agent} ` : '';
      const sending: Sending = {
        clientMsgId: `${actor.username}/${this.#load.over}/${number}`,
        text: `${mention}${actor.username} says ${number} over ${this.#load.over}`,
        floor: positions.highest,
        acknowledged: null,
      };
      this.sendings.push(sending);
      await this.#deliver(sending);
      if (paceMs > 0) await pause(paceMs);
    }
  }

  async #deliver(sending: Sending): Promise<void> {
    const { service, tally, positions } = this.#load;
    let attempts = 0;
    const message = await service.insist(() => {
      attempts += 1;
      return this.#send(sending);
    }, this.#leave);
    tally.retries += attempts - 1;
    if (message.content !== sending.text) service.report(`${sending.text} was answered with ${message.content}`);
    if (message.position <= sending.floor)
      service.report(
        `${sending.clientMsgId} has position ${message.position}, after ${sending.floor} was acknowledged`,
      );
    positions.highest = Math.max(positions.highest, message.position);
    sending.acknowledged = message;
    tally.acknowledge();
  }

  async #send({ clientMsgId, text }: Sending): Promise<Message> {
    const { actor, chatId, over } = this.#load;
    if (over === 'http') return actor.api.sendMessage({ chat_id: chatId, text, client_msg_id: clientMsgId });
    const socket = await this.#open();
    const params = { conversation_id: chatId, content: text, client_msg_id: clientMsgId };
    return (await socket.rpc('messages.send', params)) as Message; // the declared result of this method
  }

  /** The next attempt opens another socket. */
  readonly #leave = (): void => {
    const left = this.#socket;
    this.#socket = null;
    void left?.then((socket) => socket.terminate()).catch(() => {});
  };

  /** The socket that all loops share; a new one after it broke. */
  async #open(): Promise<TestSocket> {
    const known = this.#socket;
    const socket = await known?.catch(() => undefined);
    if (socket?.isOpen) return socket;
    // Another loop may have opened one meanwhile.
    if (this.#socket === known) this.#socket = this.#load.actor.socket('nodrafts');
    return this.#socket ?? this.#open();
  }
}
