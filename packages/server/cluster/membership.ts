import { type Clock, pause } from '../clock.ts';
import type { RunUnit } from '../engines/engine.ts';
import type { ClusterLog } from '../events/engines/cluster.ts';
import type { Service } from '../service.ts';
import { logHead } from '../store/engines/postgres-log.ts';
import type { Bus } from './bus.ts';
import { Calls } from './calls.ts';
import { JoinedNodes } from './joined-nodes.ts';
import { mirrorStreams } from './mirror-streams.ts';
import type { Nodes } from './nodes.ts';
import type { RedisConnection } from './redis-connection.ts';
import { TakeOver } from './take-over.ts';

/** How often the log's head is looked at: what Redis lost is found by it. */
const LOOK_MS = 1_000;
/** … while Redis is away, and nothing comes by itself. */
const LOOK_ALONE_MS = 250;
/** Every so many looks the lead also looks at what waits for agents, and at how the tables have grown. */
const LOOKS_PER_TIDYING = 3;

interface Ports {
  nodes: Nodes;
  connection: RedisConnection;
  prefix: string;
  bus: Bus;
  log: ClusterLog;
  run: RunUnit;
  clock: Clock;
  analyze: () => Promise<void>;
  onFault: (error: unknown, what: string) => void;
}

/** This node among the others: it hears them, they hear it, and what one leaves that is gone another goes on with. */
export class Membership {
  readonly joined: JoinedNodes;
  readonly takeOver: TakeOver;
  readonly #service: Service;
  readonly #ports: Ports;
  readonly #calls: Calls;
  readonly #closing = new AbortController();
  #live: readonly number[] = [];
  #looks = 0;

  constructor(service: Service, ports: Ports) {
    const { nodes, connection, prefix, bus, run, clock, onFault } = ports;
    this.#service = service;
    this.#ports = ports;
    this.#calls = new Calls({
      connection,
      prefix,
      nodeKey: nodes.key,
      clock,
      onFault: (error) => onFault(error, 'a call of another node failed'),
    });
    this.joined = new JoinedNodes(service, {
      calls: this.#calls,
      connection,
      nodeKey: nodes.key,
      others: () => nodes.live.filter((key) => key !== nodes.key),
    });
    this.takeOver = new TakeOver(service, run);
    this.#calls.serve('left', async (_, from) => {
      this.takeOver.of([from]).catch((error: unknown) => onFault(error, 'a take-over failed'));
    });
    // What was told meanwhile, by this node or to it, nobody has heard.
    bus.onUp = () => this.#lookNow();
  }

  async start(): Promise<void> {
    await this.#ports.connection.open();
    await mirrorStreams(this.#service, this.#service.read);
    this.joined.start();
    await this.takeOver.all();
    void this.#watch();
  }

  /** Once it has no place among the nodes any more. */
  async leave(): Promise<void> {
    this.#closing.abort();
    this.joined.close();
    const { nodes } = this.#ports;
    const heir = nodes.live.find((key) => key !== nodes.key);
    // Without an answer, the lead finds it a little later.
    if (heir !== undefined) await this.#calls.ask(heir, 'left', null).catch(() => {});
    this.#calls.close();
  }

  async #watch(): Promise<void> {
    const { clock, bus } = this.#ports;
    while (!this.#closing.signal.aborted) {
      await this.#look().catch((error: unknown) => this.#ports.onFault(error, 'the log could not be looked at'));
      await pause(clock, bus.isUp ? LOOK_MS : LOOK_ALONE_MS, this.#closing.signal).catch(() => {});
    }
  }

  #lookNow(): void {
    this.#look().catch((error: unknown) => this.#ports.onFault(error, 'the log could not be looked at'));
  }

  async #look(): Promise<void> {
    const { nodes, bus, log, analyze } = this.#ports;
    const gone = this.#live.filter((key) => !nodes.live.includes(key));
    this.#live = nodes.live;
    for (const key of gone) this.joined.gone(key);
    const head = (await this.#service.read.get(logHead))?.seq ?? 0;
    // What is on its way comes by itself; while Redis is away nothing does.
    log.knows(head, bus.isUp ? undefined : 0);
    this.#looks += 1;
    if (!nodes.isLead || this.#looks % LOOKS_PER_TIDYING !== 0) return;
    await this.takeOver.wakeLanes();
    await analyze();
  }
}
