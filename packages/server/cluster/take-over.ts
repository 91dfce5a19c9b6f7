import { waitingLanes, leftBehind } from '../store/engines/postgres-nodes.ts';
import type { UnitCallers } from '../commits/unit-callers.ts';
import type { InternalUnits } from '../units/index.ts';
import type { PushDelivery } from '../push/delivery.ts';
import type { Turns } from '../agents/turn-runner.ts';
import type { Sql } from '../store/sql.ts';

/** Lanes looked at once; those that go on are behind the others the next time. */
const MOST_LANES = 1_000;

export interface TakeOverRooms {
  readonly read: Sql;
  readonly turns: Turns;
  readonly push: PushDelivery;
  readonly units: UnitCallers<Pick<InternalUnits, 'recoverTurns' | 'takeOverPushes'>>;
}

/** Goes on with what nodes have left that are gone (CLUSTER-8). */
export class TakeOver {
  readonly #rooms: TakeOverRooms;

  constructor(rooms: TakeOverRooms) {
    this.#rooms = rooms;
  }

  /** What is left of all that are gone, for a node that starts; firings that nobody takes up have waited too long (TURN-5). */
  async all(): Promise<void> {
    const gone = await this.#rooms.read.all(leftBehind);
    await this.of(gone.map(({ node_key }) => node_key));
    await this.wakeLanes();
  }

  /** These nodes are gone: their replies go on here, end or begin anew, and their pushes are sent from here. */
  async of(gone: readonly number[]): Promise<void> {
    await this.#rooms.units.recoverTurns(gone);
    this.#rooms.push.takeUp(await this.#rooms.units.takeOverPushes(gone));
    this.#rooms.push.recoverTakeBacks();
  }

  /** Whoever would have taken up what waits may be gone, or was asked while its agent was busy elsewhere. */
  async wakeLanes(): Promise<void> {
    this.#rooms.turns.wake(await this.#rooms.read.all(waitingLanes, MOST_LANES));
  }
}
