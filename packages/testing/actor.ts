import { type Api, createApi } from '@parley/client';
import { checkedFetch } from './checked-fetch.ts';
import { Follower } from './model/follower.ts';
import { TestSocket } from './test-socket.ts';

/** What the world keeps of its actors, and fails for at its end. */
export interface Keeper {
  readonly url: string;
  keepSocket(socket: TestSocket): void;
  report(problem: string): void;
  /** Given every text that an actor receives, over either transport. */
  watch?: ((receiver: Actor, text: string) => void) | undefined;
}

/** Someone who uses the service: a person, or a bot's daemon. */
export class Actor {
  readonly username: string;
  readonly token: string;
  readonly api: Api;
  readonly #keeper: Keeper;

  constructor(keeper: Keeper, username: string, token: string) {
    this.#keeper = keeper;
    this.username = username;
    this.token = token;
    this.api = createApi({
      url: keeper.url,
      token,
      fetch: checkedFetch({
        onProblem: (text) => keeper.report(text),
        onText: (text) => keeper.watch?.(this, text),
      }),
    });
  }

  /** A live socket, greeted. `caps` as in the upgrade: names with commas between. */
  async socket(caps = '', onFrame?: ConstructorParameters<typeof Follower>[1]): Promise<TestSocket> {
    void onFrame;
    throw new Error('below');
  }
}
