import { type Api, createApi } from '@parley/client';
import { checkedFetch } from './checked-fetch.ts';
import type { ReceivedFrame } from './frame-chain.ts';
import { Follower } from './model/follower.ts';
import { TestSocket } from './test-socket.ts';

/** Where actors live. */
export interface Stage {
  readonly url: string;
  keep(socket: TestSocket): void;
  report(problem: string): void;
  /** Given every text that an actor receives, over either transport. */
  watch?: ((receiver: Actor, text: string) => void) | undefined;
}

interface SocketEvents {
  onOpen?: (socket: TestSocket) => void;
  onFrame?: (frame: ReceivedFrame) => void;
}

/** Someone who uses the service: a person, or a bot's daemon. */
export class Actor {
  readonly username: string;
  readonly token: string;
  readonly api: Api;
  /** Messages that it has hidden for itself. */
  readonly hidden = new Set<string>();
  readonly #stage: Stage;

  constructor(stage: Stage, username: string, token: string) {
    this.#stage = stage;
    this.username = username;
    this.token = token;
    this.api = this.#checkedApi();
  }

  /** A live socket, greeted. `caps`: names with commas between. */
  async socket(caps = '', { onOpen, onFrame }: SocketEvents = {}): Promise<TestSocket> {
    return TestSocket.open({
      url: this.#stage.url,
      token: this.token,
      caps,
      onFrame,
      onText: (text) => this.#stage.watch?.(this, text),
      onOpen: (socket) => {
        this.#stage.keep(socket);
        onOpen?.(socket);
      },
    });
  }

  /** A client of the update log, not yet loaded nor connected. */
  follower(caps = ''): Follower {
    const { api, username: whose, hidden } = this;
    return new Follower({ api, caps, whose, hidden, open: (events) => this.socket(caps, events) });
  }

  /** A client of the update log: loaded, then connected. */
  async follow(caps = ''): Promise<Follower> {
    const follower = await this.follower(caps).load();
    return follower.connect();
  }

  #checkedApi(): Api {
    return createApi({
      url: this.#stage.url,
      token: this.token,
      fetch: checkedFetch({
        onProblem: (text) => this.#stage.report(`${this.username}: ${text}`),
        onText: (text) => this.#stage.watch?.(this, text),
        onResult: (name, result) => {
          // What the declaration of this operation answers.
          if (name === 'deleteMessagesForMe') for (const id of (result as { ids: string[] }).ids) this.hidden.add(id);
        },
      }),
    });
  }
}
