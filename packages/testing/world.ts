import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Conversation } from '@parley/protocol';
import type { LiveStream } from '@parley/server/agents/live-stream.ts';
import { type Clock, systemClock } from '@parley/server/core/clock.ts';
import { unavailable } from '@parley/server/core/errors.ts';
import type { Service, ServiceOptions } from '@parley/server/service/service.ts';
import type { Sql, SqlValue } from '@parley/server/store/sql.ts';
import { Actor, type Stage, type Watcher } from './actor.ts';
import { Balancer } from './balancer.ts';
import { CountingClock } from './counting-clock.ts';
import { type FakeProviders, startFakeProviders } from './fake-providers.ts';
import { countHandles, leakedHandles } from './open-handles.ts';
import type { SeenThreads } from './model/client-state.ts';
import { settle } from './settle.ts';
import type { TestSocket } from './test-socket.ts';
import { turnOfLoop } from './turn-of-loop.ts';
import { EmbeddedData, nodesByDefault, SharedData, type WorldData } from './world-data.ts';
import { type LogLine, startNode, type WorldNode } from './world-node.ts';

export type { LogLine };

export interface WorldOptions extends Pick<ServiceOptions, 'settings' | 'startStore' | 'wrapRead'> {
  /** The system's unless a test moves time itself. */
  clock?: Clock;
  /** Variables of the configuration. */
  env?: Readonly<Record<string, string>>;
  /** The test makes the service log errors; otherwise an error in the log fails the world. */
  expectsErrors?: boolean;
  /**
   * So many services share a database, behind a balancer; 0 is one process with its data in files. Without it NODES of
   * the environment says so, unless the test has a store of its own.
   */
  nodes?: number;
}

const ERROR_LEVEL = 50;
// The store thread of each world loads the same files: what the first one compiled serves the others.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'parley-compile-cache');
const password = 'correct horse battery staple';

/** A whole service in this process, with real storage, HTTP and sockets, and the people in it. */
export class World implements Stage, AsyncDisposable {
  readonly providers: FakeProviders;
  readonly logs: LogLine[] = [];
  watcher: Watcher | undefined;
  readonly threads: SeenThreads = new Map();
  readonly #options: WorldOptions;
  readonly #clock: CountingClock;
  readonly #handles = countHandles();
  static #open = 0;
  readonly #sockets = new Set<TestSocket>();
  readonly #problems: string[] = [];
  readonly #data: WorldData;
  /** In front of several. */
  readonly #balancer: Balancer | null;
  #nodes: WorldNode[] = [];
  #url = '';
  #members = 0;

  constructor(providers: FakeProviders, options: WorldOptions, data: WorldData, balancer: Balancer | null) {
    this.providers = providers;
    this.#options = options;
    this.#data = data;
    this.#balancer = balancer;
    this.#clock = new CountingClock(options.clock ?? systemClock);
    World.#open += 1;
  }

  /** The only one, or the first of several. */
  get service(): Service {
    const [service] = this.services;
    if (!service) throw new Error('the world is closed');
    return service;
  }

  get services(): Service[] {
    return this.#nodes.map(({ service }) => service);
  }

  /** The one that does what is done once for all: the only one, or the oldest. */
  get lead(): Service {
    return this.services.find((service) => service.isLead()) ?? this.service;
  }

  /** What the services count, together. */
  sum(count: (service: Service) => number): number {
    return this.services.reduce((sum, service) => sum + count(service), 0);
  }

  /** An open reply, on the node that it is on. */
  openStream(id: string): LiveStream | undefined {
    return this.services.map(({ streams }) => streams.find(id)).find((stream) => stream !== undefined);
  }

  /** Of the only service, or of the balancer. */
  get url(): string {
    return this.#url;
  }

  /** Of the only service, or of the first: past the balancer, for what one service says to a connection byte by byte. */
  get nodeUrl(): string {
    const [node] = this.#nodes;
    if (!node) throw new Error('the world is closed');
    return node.server.url;
  }

  get balancer(): Balancer {
    if (!this.#balancer) throw new Error('a world of one service has no balancer');
    return this.#balancer;
  }

  /** Whoever connects from now on comes to the first service: for what each of several has for itself. */
  stayOnFirst(): void {
    if (this.#balancer) this.#balancer.choose = ([first]) => first;
  }

  get isShared(): boolean {
    return this.#balancer !== null;
  }

  /** The folder of the only service, or of the first. */
  get dataDir(): string {
    return this.dataDirs[0] ?? '';
  }

  get dataDirs(): readonly string[] {
    return this.#data.folders;
  }

  /** What the services logged as errors. */
  get errors(): string[] {
    return this.logs.filter(({ level }) => level >= ERROR_LEVEL).map((line) => JSON.stringify(line));
  }

  /** Starts the services, on the data of the former ones if there were some. */
  async start(): Promise<void> {
    this.#nodes = await Promise.all(this.#data.folders.map((folder) => this.#startNode(folder)));
    const urls = this.#nodes.map(({ server }) => server.url);
    this.#balancer?.serve(urls);
    this.#url = this.#balancer?.url ?? urls[0] ?? '';
  }

  /** Stops one of the nodes as SIGTERM does and starts another in its place; the others go on. */
  async replaceNode(at: number): Promise<void> {
    const [node, folder] = [this.#nodes[at], this.dataDirs[at]];
    if (!node || folder === undefined) throw new Error('there is no such node');
    this.balancer.takeOut(node.server.url);
    await node.server.close();
    this.#nodes[at] = await this.#startNode(folder);
    this.balancer.serve(this.#nodes.map(({ server }) => server.url));
  }

  /** The rows of a statement, past the services; other statements than SELECT change theirs. */
  sql<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]> {
    return this.#data.use(async (connection) => connection.all<Row, SqlValue[]>({ sql }, ...values));
  }

  /** Several statements past the services, on one connection. */
  withSql<Value>(work: (sql: Sql) => Promise<Value>): Promise<Value> {
    return this.#data.use(work);
  }

  /** A person with a development token. */
  async person(username: string): Promise<Actor> {
    const actor = new Actor(this, username, `dev:${username}`);
    await actor.api.getMe();
    return actor;
  }

  /** Several people, by their names. */
  async people<Name extends string>(...names: Name[]): Promise<Record<Name, Actor>> {
    const actors: Partial<Record<Name, Actor>> = {};
    for (const name of names) actors[name] = await this.person(name);
    return actors as Record<Name, Actor>; // one for each name
  }

  /** A person who signed up: with a password, a session, and the direct chat with the guide. */
  async member(username = `member${(this.#members += 1)}`): Promise<Actor> {
    const visitor = new Actor(this, username, '');
    const { token } = await visitor.api.signUp({ username, password });
    return new Actor(this, username, token);
  }

  /** Another session of someone who signed up. */
  async signIn(member: Actor): Promise<Actor> {
    const { token } = await member.api.signIn({ username: member.username, password });
    return new Actor(this, member.username, token);
  }

  /** The daemon of a new bot. */
  async bot(owner: Actor, slug = 'bot'): Promise<Actor> {
    const { bot, token } = await owner.api.createBot({ slug, display_name: slug });
    return new Actor(this, bot.username, token);
  }

  /** A group of the first one with the others. */
  async group(owner: Actor, ...members: Actor[]): Promise<Conversation> {
    return owner.api.startChat({ usernames: members.map(({ username }) => username), title: 'a group' });
  }

  async direct(one: Actor, other: Actor): Promise<Conversation> {
    return one.api.startChat({ username: other.username });
  }

  keep(socket: TestSocket): void {
    this.#sockets.add(socket);
  }

  report(problem: string): void {
    this.#problems.push(problem);
  }

  /** Resolves when nothing is under way any more: all that was done has been stored, sent and received. */
  settle(): Promise<void> {
    return settle(this.services, this.#sockets, this.#options.clock === undefined);
  }

  /** Resolves when no agent of the service's own is replying or waiting to. */
  async turnsEnded(): Promise<void> {
    do {
      await this.settle();
      await turnOfLoop();
    } while (this.services.some(({ turns }) => turns.runningCount > 0));
  }

  /** All services end their work, as at the beginning of a SIGTERM. */
  async drain(patienceMs: number): Promise<void> {
    await Promise.all(this.services.map((service) => service.drain(patienceMs)));
  }

  /** Stops all services as SIGTERM does and starts others on the same data. */
  async restart(): Promise<void> {
    await this.#stop();
    await this.start();
  }

  /** All services die in the midst of things: what is in memory alone is lost, what is stored is not. */
  async crash(): Promise<void> {
    while (this.services.some(({ units }) => units.inFlight > 0)) await turnOfLoop();
    // Nothing is being written at this moment, and nobody may hear what the old ones say from now on.
    for (const { mute, service } of this.#nodes) {
      mute();
      service.units.run = () => Promise.reject(unavailable('it has crashed'));
    }
    await this.#data.cutOff();
    const lost = this.#openSockets().map((socket) => socket.terminate());
    await this.#stop();
    await Promise.all(lost);
    await this.#data.goOn();
    await this.start();
  }

  async close(): Promise<void> {
    if (this.#nodes.length > 0) {
      await Promise.all(this.#openSockets().map((socket) => socket.terminate()));
      await this.#stop();
    }
    await this.#balancer?.[Symbol.asyncDispose]();
    await this.providers.close();
    await this.#data.remove();
    this.#problems.push(...[...this.#sockets].flatMap(({ problems }) => problems));
    if (!this.#options.expectsErrors) this.#problems.push(...this.errors);
    World.#open -= 1;
    // Another one that is still open may have opened connections meanwhile; it finds what both have left.
    if (World.#open === 0)
      this.#problems.push(...(await leakedHandles(this.#handles)).map((kind) => `left open: ${kind}`));
    if (this.#problems.length > 0) throw new Error(`the world ended badly:\n${this.#problems.join('\n')}`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #openSockets(): TestSocket[] {
    return [...this.#sockets].filter(({ isOpen }) => isOpen);
  }

  async #stop(): Promise<void> {
    const nodes = this.#nodes;
    this.#nodes = [];
    await Promise.all(nodes.map(({ server }) => server.close()));
    for (const { service } of nodes)
      if (service.sockets.count > 0) this.report(`${service.sockets.count} sockets outlived the service`);
    this.#problems.push(...this.#clock.pending.map((timer) => `${timer} outlived the service`));
  }

  #startNode(folder: string): Promise<WorldNode> {
    const { settings, startStore, wrapRead, env } = this.#options;
    // Actors know the address: a service that comes back comes back there.
    const PORT = this.isShared || this.#url === '' ? '0' : new URL(this.#url).port;
    return startNode({
      env: { DATA_DIR: folder, PORT, ...this.#data.env, ...this.providers.env, ...env },
      clock: this.#clock,
      onLog: (line) => void this.logs.push(line),
      ...(settings && { settings }),
      ...(startStore && { startStore }),
      ...(wrapRead && { wrapRead }),
    });
  }
}

/** Starts a world; `await using` ends it, and fails when something was against the rules or left open. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const nodes = options.nodes ?? (options.startStore ? 0 : nodesByDefault());
  const data = nodes > 0 ? await SharedData.create(nodes) : new EmbeddedData();
  const world = new World(await startFakeProviders(), options, data, nodes > 0 ? await Balancer.start() : null);
  await world.start();
  return world;
}
