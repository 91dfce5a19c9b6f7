import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '@parley/client';
import { Actor } from '../world/actor.ts';
import type { Tally } from '../crash/tally.ts';
import type { Follower } from '../model/follower.ts';
import { LoyalFollower } from './loyal-follower.ts';
import type { ProcessCluster } from './process-cluster.ts';

interface GuestsNeeds {
  cluster: ProcessCluster;
  tally: Tally;
  host: Actor;
  chatId: string;
  /** Pause after each guest, in milliseconds. */
  paceMs: number;
}

/** People who join the group, stay briefly, and are removed: they must not receive messages sent after that. */
export class Guests {
  readonly #needs: GuestsNeeds;
  readonly #guests: { follower: Follower; loyal: LoyalFollower; secret: string }[] = [];

  constructor(needs: GuestsNeeds) {
    this.#needs = needs;
  }

  get count(): number {
    return this.#guests.length;
  }

  async run(): Promise<void> {
    const { tally, paceMs } = this.#needs;
    while (!tally.isStopping) {
      await this.#visit(this.count + 1);
      await pause(paceMs);
    }
  }

  /** Checks that removed guests no longer have access to the conversation. */
  async finish(): Promise<void> {
    for (const { follower, loyal } of this.#guests) {
      await loyal.caughtUp();
      await follower.compare();
      await loyal.end();
    }
  }

  async #visit(number: number): Promise<void> {
    const { cluster, host, chatId: chat_id } = this.#needs;
    const username = `guest${number}`;
    const guest = new Actor(cluster, username, `dev:${username}`);
    await cluster.insist(() => guest.api.getMe());
    const follower = guest.follower('ext');
    const secret = `behind ${username}'s back`;
    let isOut = false;
    follower.onFrame = (frame) => {
      cluster.watcher.readFrame(follower.whose, frame);
      if (isOut && JSON.stringify(frame).includes(secret)) cluster.report(`${username} received: ${secret}`);
    };
    const loyal = new LoyalFollower(cluster, follower);
    await loyal.begin();
    this.#guests.push({ follower, loyal, secret });
    await this.#insist(() => host.api.addMembers({ chat_id, usernames: [username] }));
    const own = { chat_id, text: `${username} is here`, client_msg_id: username };
    await cluster.insist(() => guest.api.sendMessage(own));
    await this.#insist(() => host.api.removeMember({ chat_id, username }));
    isOut = true;
    await cluster.insist(() => host.api.sendMessage({ chat_id, text: secret, client_msg_id: `behind ${username}` }));
    await cluster.insist(async () => {
      const refused = await guest.api.getChat({ chat_id }).catch((error: unknown) => error);
      if (!(refused instanceof Error)) return cluster.report(`${username} can still see the group`);
      // While the service is unavailable, retry.
      if (!(refused instanceof ApiError) || refused.status === 503) throw refused;
      return undefined;
    });
  }

  /** Retries until the change is in effect; a retry may be refused because nothing is left to do. */
  async #insist(act: () => Promise<unknown>): Promise<void> {
    let tries = 0;
    await this.#needs.cluster.insist(async () => {
      tries += 1;
      try {
        await act();
      } catch (error) {
        if (tries === 1 || !(error instanceof ApiError) || error.status === 503) throw error;
      }
    });
  }
}
