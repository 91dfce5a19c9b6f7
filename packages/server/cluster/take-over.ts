import { waitingLanes, leftBehind } from '../store/engines/postgres-nodes.ts';
import type { UnitCallers } from '../commits/unit-callers.ts';
import type { InternalUnits } from '../units/index.ts';
import type { Service } from '../service/service.ts';

/** Lanes looked at once; those that go on are behind the others the next time. */
const MOST_LANES = 1_000;

type Units = UnitCallers<Pick<InternalUnits, 'recoverTurns' | 'takeOverPushes'>>;

/** Goes on with what nodes have left that are gone (CLUSTER-8). */
export class TakeOver {
  readonly #service: Service;
  readonly #units: Units;

  constructor(service: Service, units: Units) {
    this.#service = service;
    this.#units = units;
  }

  /** What is left of all that are gone, for a node that starts; firings that nobody takes up have waited too long (TURN-5). */
  async all(): Promise<void> {
    const gone = await this.#service.read.all(leftBehind);
    await this.of(gone.map(({ node_key }) => node_key));
    await this.wakeLanes();
  }

  /** These nodes are gone: their replies go on here, end or begin anew, and their pushes are sent from here. */
  async of(gone: readonly number[]): Promise<void> {
    await this.#units.recoverTurns(gone);
    this.#service.push.takeUp(await this.#units.takeOverPushes(gone));
    this.#service.push.recoverTakeBacks();
  }

  /** Whoever would have taken up what waits may be gone, or was asked while its agent was busy elsewhere. */
  async wakeLanes(): Promise<void> {
    this.#service.turns.wake(await this.#service.read.all(waitingLanes, MOST_LANES));
  }
}
