import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { RelayKind, Sizes } from './baselines/relay.ts';
import { startChild } from './processes/child.ts';
import type { Child } from './processes/child.ts';
import { Generator } from './processes/generator.ts';
import { newDataDir, removeDataDir } from './service/data-dirs.ts';
import { RunningCluster, type Servers, startServers } from './service/running-cluster.ts';
import { RunningService, type StartOptions } from './service/running-service.ts';
import { stepLines, stepsOf } from './trace/steps.ts';

interface BenchSettings {
  quick: boolean;
  /** Rounds per side; undefined: as many as usual. */
  rounds: number | undefined;
  /** Entry file of the service. */
  service: string;
  /** Prints how long the units of each service took from point to point. */
  trace: boolean;
  size: number | undefined;
  data: string | undefined;
  /** Entry file of an older build to compare the service with. */
  against: string | undefined;
  mostCpu: number | undefined;
  print(text: string): void;
}

type Ending = () => unknown;

/** Processes that scenarios share. */
export interface Shared {
  /**
   * In quick runs, the service that scenarios without options share. A failed start is kept too, so that it is not
   * repeated.
   */
  service?: Promise<RunningService>;
  /** PostgreSQL and Redis, started by the first scenario that needs several nodes. */
  servers?: Promise<Servers>;
  endings: Ending[];
}

/** What a scenario works with: it starts processes, prints notes, and ends everything after the scenario. */
export class Bench {
  readonly quick: boolean;
  /** Rounds per side; the figures are their medians. */
  readonly rounds: number;
  /** Error lines, printed below the scenario's title. */
  readonly errors: string[] = [];
  readonly #settings: BenchSettings;
  readonly #shared: Shared;
  readonly #endings: Ending[] = [];

  constructor(settings: BenchSettings, shared: Shared) {
    this.#settings = settings;
    this.#shared = shared;
    this.quick = settings.quick;
    this.rounds = settings.rounds ?? (settings.quick ? 1 : 3);
  }

  /** Returns the full or the quick variant of a size or a duration. */
  choose<Value>(full: Value, quick: Value): Value {
    return this.quick ? quick : full;
  }

  note(text: string): void {
    this.#settings.print(`  ${text}`);
  }

  /** Records a failure and continues: the other side of a comparison is still worth measuring. */
  async attempt<Result>(what: string, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      const text = `${what}: ${error instanceof Error ? error.message : String(error)}`;
      this.errors.push(text);
      this.note(`failed: ${text}`);
      return undefined;
    }
  }

  /** Whether an older build is measured beside the service. */
  get isAgainst(): boolean {
    return this.#settings.against !== undefined;
  }

  /** The most processor time, as a multiple of the older build's, with which the run succeeds. */
  get mostCpu(): number | undefined {
    return this.#settings.mostCpu;
  }

  /** Runs one round with servers of its own, which end with it. */
  async alone<Result>(work: (bench: Bench) => Promise<Result>): Promise<Result> {
    const bench = new Bench(this.#settings, { endings: [] });
    try {
      return await work(bench);
    } finally {
      await bench.close();
    }
  }

  generator(): Generator {
    const generator = new Generator();
    this.#endings.push(() => generator.stop());
    return generator;
  }

  /** A service on a fresh data directory; quick runs share one between scenarios without options. */
  async service(): Promise<RunningService> {
    // The table of a traced service is of one scenario.
    if (!this.quick || this.#settings.trace) return this.freshService();
    this.#shared.service ??= startOnNewData(this.#settings.service, this.#shared.endings);
    return this.#shared.service;
  }

  async freshService(options: StartOptions = {}): Promise<RunningService> {
    const { service: entry, trace } = this.#settings;
    if (!trace) return startOnNewData(entry, this.#endings, options);
    const service = await startOnNewData(entry, this.#endings, { ...options, traceDir: await this.dataDir() });
    this.#endings.push(async () => {
      for (const line of stepLines(stepsOf(await service.child.trace()))) this.note(line);
    });
    return service;
  }

  /** The older build, on a fresh data directory. */
  olderService(options: StartOptions = {}): Promise<RunningService> {
    const { against } = this.#settings;
    if (against === undefined) throw new Error('no older build is measured');
    return startOnNewData(against, this.#endings, options);
  }

  /** A new database on servers that all scenarios share; its nodes are started one by one. */
  async cluster(): Promise<RunningCluster> {
    this.#shared.servers ??= startServers(this.#shared.endings);
    const cluster = await RunningCluster.create(await this.#shared.servers, (options) => this.freshService(options));
    this.#endings.push(() => cluster.close());
    return cluster;
  }

  /** A data directory for several services in a row; removed at the end of the scenario. */
  async dataDir(): Promise<string> {
    const dataDir = await newDataDir();
    this.#endings.push(() => removeDataDir(dataDir));
    return dataDir;
  }

  /** Size of the stored data in GB, as the caller has asked for; undefined: the scenario's own. */
  get size(): number | undefined {
    return this.#settings.size;
  }

  /** The folder for data that the caller keeps; otherwise a new one, removed at the end of the scenario. */
  async keptDataDir(): Promise<string> {
    const { data } = this.#settings;
    if (data === undefined) return this.dataDir();
    await mkdir(data, { recursive: true });
    return data;
  }

  async serviceOn(dataDir: string, options?: StartOptions): Promise<RunningService> {
    const service = await RunningService.start(this.#settings.service, dataDir, options);
    this.#endings.push(() => service.stop());
    return service;
  }

  /** `own`: with frames of its own, which are small, and without replies. */
  async relay(kind: RelayKind, sizes: Sizes | 'own'): Promise<Child> {
    const args = sizes === 'own' ? ['--own'] : Object.entries(sizes).map(([name, bytes]) => `--${name}=${bytes}`);
    if (kind === 'durable') args.push(`--file=${path.join(await this.dataDir(), 'messages')}`);
    return this.#baseline({ entry: `../baselines/${kind}-relay.ts`, args });
  }

  bareWs(): Promise<Child> {
    return this.#baseline({ entry: '../baselines/bare-ws.ts', collectable: true });
  }

  /** Reads a database directly, without the service. */
  bareSelect(file: string): Promise<Child> {
    return this.#baseline({ entry: '../baselines/bare-select.ts', args: [`--file=${file}`] });
  }

  async #baseline(options: { entry: string; args?: string[]; collectable?: boolean }): Promise<Child> {
    const child = await startChild(options);
    this.#endings.push(() => child.stop());
    return child;
  }

  close(): Promise<void> {
    return endAll(this.#endings);
  }
}

async function startOnNewData(entry: string, endings: Ending[], options?: StartOptions): Promise<RunningService> {
  const dataDir = await newDataDir();
  endings.push(() => removeDataDir(dataDir));
  const service = await RunningService.start(entry, dataDir, options);
  endings.push(() => service.stop());
  return service;
}

/** Ends everything in reverse order of its start. */
export async function endAll(endings: Ending[]): Promise<void> {
  for (const end of endings.splice(0).toReversed()) await end();
}
