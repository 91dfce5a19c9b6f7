import type { Follower } from '../model/follower.ts';
import type { ProcessCluster } from './process-cluster.ts';

/** Keeps a client connected to any available node. */
export class LoyalFollower {
  readonly #cluster: ProcessCluster;
  readonly #follower: Follower;
  #isOver = false;

  constructor(cluster: ProcessCluster, follower: Follower) {
    this.#cluster = cluster;
    this.#follower = follower;
    follower.isPatient = true;
  }

  async begin(): Promise<void> {
    await this.#cluster.insist(() => this.#follower.load());
    await this.#cluster.insist(() => this.#follower.connect());
    this.#keep().catch((error: unknown) => this.#cluster.report(`${this.#follower.whose}: ${String(error)}`));
  }

  /** Resolves when the client has fetched everything. */
  async caughtUp(): Promise<void> {
    const follower = this.#follower;
    await this.#cluster.until(`${follower.whose} is connected`, () => follower.socket?.isOpen === true);
    await follower.ask();
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#follower.drop();
  }

  async #keep(): Promise<void> {
    // Alternates between handling the frames that were received before the connection broke, and losing them.
    for (let losing = true; !this.#isOver; losing = !losing) {
      await this.#follower.socket?.closed;
      if (this.#isOver) return;
      await this.#follower.drop({ losing });
      await this.#cluster.insist(() => this.#follower.connect());
    }
  }
}
