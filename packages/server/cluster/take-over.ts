import { waitingTurnQueues, leftBehind } from '../store/engines/postgres-nodes.ts';
import type { UnitCallers } from '../commits/unit-callers.ts';
import type { InternalUnits } from '../units/index.ts';
import type { PushDelivery } from '../push/delivery.ts';
import type { TypingIndicators } from '../agents/typing.ts';
import type { Turns } from '../agents/turn-runner.ts';
import type { Sql } from '../store/sql.ts';

/** Maximum number of turn queues woken per check; the others follow at the next ones. */
const MAX_QUEUES = 1_000;

export interface TakeOverRooms {
  readonly read: Sql;
  readonly turns: Turns;
  readonly typing: TypingIndicators;
  readonly push: PushDelivery;
  readonly units: UnitCallers<Pick<InternalUnits, 'recoverTurns' | 'takeOverPushes'>>;
}

/** Takes over the work of dead nodes (CLUSTER-8). */
export class TakeOver {
  readonly #rooms: TakeOverRooms;

  constructor(rooms: TakeOverRooms) {
    this.#rooms = rooms;
  }

  /**
   * When this node starts, takes over the work of all dead nodes and wakes waiting turns; firings that are too old
   * expire (TURN-5).
   */
  async all(): Promise<void> {
    const gone = await this.#rooms.read.all(leftBehind);
    await this.of(gone.map(({ node_key }) => node_key));
    await this.wakeQueues();
  }

  /** Takes over from these nodes: their replies resume, end or restart here, and their pushes are sent from here. */
  async of(gone: readonly number[]): Promise<void> {
    for (const node of gone) this.#rooms.typing.nodeGone(node);
    await this.#rooms.units.recoverTurns(gone);
    this.#rooms.push.takeUp(await this.#rooms.units.takeOverPushes(gone));
    this.#rooms.push.recoverTakeBacks();
  }

  /** Wakes waiting turns: the node that would have run them may be dead, or the agent was busy on another node. */
  async wakeQueues(): Promise<void> {
    this.#rooms.turns.wake(await this.#rooms.read.all(waitingTurnQueues, MAX_QUEUES));
  }
}
