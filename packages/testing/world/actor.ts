import { type Api, createApi } from '@parley/client';
import { checkedFetch } from './checked-fetch.ts';
import type { ReceivedFrame } from '../model/frame-chain.ts';
import type { SeenThreads } from '../model/client-state.ts';
import { Follower } from '../model/follower.ts';
import { TestSocket } from './test-socket.ts';

/** Observes everything that actors receive, over either transport. */
export interface Watcher {
  /** Called when a request starts; the returned number is passed on with its answer. */
  begin(): number;
  read(receiver: Actor, text: string, begunAt?: number): void;
}

/** The environment of actors. */
export interface Stage {
  readonly url: string;
  /** True if each request may reach another node. */
  readonly isShared?: boolean;
  keep(socket: TestSocket): void;
  report(problem: string): void;
  readonly watcher: Watcher | undefined;
  /** Shared by all clients. */
  readonly threads: SeenThreads;
}

interface SocketEvents {
  onOpen?: (socket: TestSocket) => void;
  onFrame?: (frame: ReceivedFrame) => void;
  onTick?: (head: number) => void;
}

/** A user of the service: a person or a bot's daemon. */
export class Actor {
  readonly username: string;
  readonly token: string;
  readonly api: Api;
  /** Messages that the actor has hidden. */
  readonly hidden = new Set<string>();
  readonly #stage: Stage;

  constructor(stage: Stage, username: string, token: string) {
    this.#stage = stage;
    this.username = username;
    this.token = token;
    this.api = this.#checkedApi();
  }

  /** Opens a socket and waits for its hello. `caps`: names separated by commas. */
  async socket(caps = '', { onOpen, onFrame, onTick }: SocketEvents = {}): Promise<TestSocket> {
    return TestSocket.open({
      url: this.#stage.url,
      token: this.token,
      caps,
      onFrame,
      onTick,
      onText: (text) => this.#stage.watcher?.read(this, text),
      onOpen: (socket) => {
        this.#stage.keep(socket);
        onOpen?.(socket);
      },
    });
  }

  /** A client of the update log, neither loaded nor connected. */
  follower(caps = ''): Follower {
    const { api, username: account, hidden } = this;
    const { threads } = this.#stage;
    return new Follower({ api, caps, account, hidden, threads, open: (events) => this.socket(caps, events) });
  }

  /** A client of the update log, loaded and then connected. */
  async follow(caps = ''): Promise<Follower> {
    const follower = await this.follower(caps).load();
    return follower.connect();
  }

  #checkedApi(): Api {
    return createApi({
      url: this.#stage.url,
      token: this.token,
      fetch: checkedFetch({
        isAlone: this.#stage.isShared === true,
        onProblem: (text) => this.#stage.report(`${this.username}: ${text}`),
        onBegin: () => this.#stage.watcher?.begin(),
        onText: (text, begunAt) => this.#stage.watcher?.read(this, text, begunAt),
        onResult: (name, result) => {
          // The type of this operation's result.
          if (name === 'deleteMessagesForMe') for (const id of (result as { ids: string[] }).ids) this.hidden.add(id);
        },
      }),
    });
  }
}
