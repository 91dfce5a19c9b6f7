import type { Conversation } from '@parley/protocol';
import type { LiveStream } from '@parley/server/replies/live-stream.ts';
import { type Clock, systemClock } from '@parley/server/core/clock.ts';
import { unavailable } from '@parley/server/core/errors.ts';
import { passwords } from '@parley/server/secrets/passwords.ts';
import type { Service, ServiceOptions } from '@parley/server/service/interface.ts';
import type { Sql, SqlValue } from '@parley/server/store/sql.ts';
import { Actor, type Stage, type Watcher } from './actor.ts';
import { Balancer } from './balancer.ts';
import { CountingClock } from '../clocks/counting-clock.ts';
import { type FakeProviders, startFakeProviders } from '../providers/fake-providers.ts';
import { countHandles, leakedHandles } from './open-handles.ts';
import type { SeenThreads } from '../model/client-state.ts';
import { leaveTheCore, settle } from './settle.ts';
import type { TestSocket } from './test-socket.ts';
import { turnOfLoop } from '../clocks/turn-of-loop.ts';
import { nodesByDefault } from './nodes-by-default.ts';
import { EmbeddedData, SharedData, type WorldData } from './world-data.ts';
import { type LogLine, startNode, type WorldNode } from './world-node.ts';

export type { LogLine };

export interface WorldOptions extends Pick<ServiceOptions, 'settings' | 'startStore' | 'wrapRead'> {
  /** The system's clock by default; a test can pass one that it controls. */
  clock?: Clock;
  /** Environment variables of the service. */
  env?: Readonly<Record<string, string>>;
  /** The first person stays the owner of the service (ROLE-8); by default all people of a world are members. */
  hasOwner?: boolean;
  /** The test makes the service log errors; otherwise an error in the log fails the world. */
  expectsErrors?: boolean;
  /**
   * Number of services that share a database behind a balancer; 0 is one process with its data in files. The default is
   * the environment variable NODES, or 0 if the test passes its own store.
   */
  nodes?: number;
}

const ERROR_LEVEL = 50;
const password = 'correct horse battery staple';
// Passwords are hashed cheaply, because tests sign up hundreds of people; AUTH-3 has tests of its own.
passwords.cost = { memory: 1024, passes: 1 };

/** A whole service in this process, with real storage, HTTP and sockets, and its users. */
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
  /** Null with a single service. */
  readonly #balancer: Balancer | null;
  #nodes: WorldNode[] = [];
  #url = '';
  #members = 0;
  #hasMetFirst = false;

  constructor(providers: FakeProviders, options: WorldOptions, data: WorldData, balancer: Balancer | null) {
    this.providers = providers;
    this.#options = options;
    this.#data = data;
    this.#balancer = balancer;
    this.#clock = new CountingClock(options.clock ?? systemClock);
    World.#open += 1;
  }

  /** The only service, or the first of several. */
  get service(): Service {
    const [service] = this.services;
    if (!service) throw new Error('the world is closed');
    return service;
  }

  get services(): Service[] {
    return this.#nodes.map(({ service }) => service);
  }

  /** The service that runs shared background work: the only one, or the oldest. */
  get lead(): Service {
    return this.services.find((service) => service.standing.isLead()) ?? this.service;
  }

  /** Sums a count over all services. */
  sum(count: (service: Service) => number): number {
    return this.services.reduce((sum, service) => sum + count(service), 0);
  }

  /** An open reply, on the node that owns it. */
  openStream(id: string): LiveStream | undefined {
    return this.services.map(({ streams }) => streams.find(id)).find((stream) => stream !== undefined);
  }

  /** The address of the only service, or of the balancer. */
  get url(): string {
    return this.#url;
  }

  /**
   * The address of the only service or of the first, without the balancer: for tests of the bytes on one connection.
   */
  get nodeUrl(): string {
    const [node] = this.#nodes;
    if (!node) throw new Error('the world is closed');
    return node.server.url;
  }

  get balancer(): Balancer {
    if (!this.#balancer) throw new Error('a world of one service has no balancer');
    return this.#balancer;
  }

  /** Directs all new connections to the first service, for tests of state that each node keeps separately. */
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

  /** Errors that the services logged. */
  get errors(): string[] {
    return this.logs.filter(({ level }) => level >= ERROR_LEVEL).map((line) => JSON.stringify(line));
  }

  /** Starts the services, on the data of earlier ones if there were any. */
  async start(): Promise<void> {
    this.#nodes = await Promise.all(this.#data.folders.map((folder) => this.#startNode(folder)));
    const urls = this.#nodes.map(({ server }) => server.url);
    this.#balancer?.serve(urls);
    this.#url = this.#balancer?.url ?? urls[0] ?? '';
  }

  /** Stops one node as SIGTERM does and starts another in its place; the other nodes keep running. */
  async replaceNode(at: number): Promise<void> {
    const [node, folder] = [this.#nodes[at], this.dataDirs[at]];
    if (!node || folder === undefined) throw new Error('unknown node');
    this.balancer.takeOut(node.server.url);
    await node.server.close();
    this.#nodes[at] = await this.#startNode(folder);
    this.balancer.serve(this.#nodes.map(({ server }) => server.url));
  }

  /** Runs a statement directly on the database; statements other than SELECT change rows. */
  sql<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]> {
    return this.#data.use(async (connection) => connection.all<Row, SqlValue[]>({ sql }, ...values));
  }

  /** Runs several statements directly on the database, on one connection. */
  withSql<Value>(work: (sql: Sql) => Promise<Value>): Promise<Value> {
    return this.#data.use(work);
  }

  /** A person with a development token. */
  async person(username: string): Promise<Actor> {
    const actor = new Actor(this, username, `dev:${username}`);
    await this.#meet(actor);
    return actor;
  }

  /** Several people by username. */
  async people<Name extends string>(...names: Name[]): Promise<Record<Name, Actor>> {
    const actors: Partial<Record<Name, Actor>> = {};
    for (const name of names) actors[name] = await this.person(name);
    return actors as Record<Name, Actor>; // one per name
  }

  /** A person who signed up: with a password, a session, and a direct chat with the guide. */
  async member(username = `member${(this.#members += 1)}`): Promise<Actor> {
    const visitor = new Actor(this, username, '');
    const { token } = await visitor.api.signUp({ username, password });
    const actor = new Actor(this, username, token);
    if (!this.#hasMetFirst) await this.#meet(actor);
    return actor;
  }

  /** Makes a member of the first person, unless the test wants an owner. */
  async #meet(actor: Actor): Promise<void> {
    const { role } = await actor.api.getMe();
    if (role !== 'owner' || this.#hasMetFirst) return;
    this.#hasMetFirst = true;
    if (!this.#options.hasOwner) await this.sql("UPDATE accounts SET role = 'member' WHERE role = 'owner'");
  }

  /** Another session of a person who signed up. */
  async signIn(member: Actor): Promise<Actor> {
    const { token } = await member.api.signIn({ username: member.username, password });
    return new Actor(this, member.username, token);
  }

  /** The daemon of a new bot. */
  async bot(owner: Actor, slug = 'bot'): Promise<Actor> {
    const { bot, token } = await owner.api.createBot({ slug, display_name: slug });
    return new Actor(this, bot.username, token);
  }

  /** A group of the owner and the members. */
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

  /** Resolves when nothing is in flight: everything has been stored, sent and received. */
  settle(): Promise<void> {
    return settle(this.services, this.#sockets, this.#options.clock === undefined);
  }

  /** Resolves when no provider's agent is replying or about to. */
  async turnsEnded(): Promise<void> {
    do {
      await this.settle();
      await leaveTheCore();
    } while (this.services.some(({ turns, titles }) => turns.runningCount > 0 || titles.runningCount > 0));
  }

  /** Resolves when no page behind a link is being read. */
  async pagesRead(): Promise<void> {
    do {
      await this.settle();
      await leaveTheCore();
    } while (this.services.some(({ previews }) => previews.runningCount > 0));
    await this.settle();
  }

  /** Drains all services, as at the start of a SIGTERM. */
  async drain(patienceMs: number): Promise<void> {
    await Promise.all(this.services.map((service) => service.drain(patienceMs)));
  }

  /** Stops all services as SIGTERM does and starts new ones on the same data. */
  async restart(): Promise<void> {
    await this.#stop();
    await this.start();
  }

  /** Kills all services: data in memory is lost, stored data is kept. */
  async crash(): Promise<void> {
    while (this.services.some(({ units }) => units.inFlight > 0)) await turnOfLoop();
    // Nothing is being written at this moment, and from here on the old services must stay silent.
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
    // Another open world may have opened connections meanwhile; that world will report the leaks of both.
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
    // Actors know the address, so a restarted service must have the same one.
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

/** Starts a world; `await using` closes it, and throws if a rule was violated or something was left open. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const nodes = options.nodes ?? (options.startStore ? 0 : nodesByDefault());
  const data = nodes > 0 ? await SharedData.create(nodes) : new EmbeddedData();
  const world = new World(await startFakeProviders(), options, data, nodes > 0 ? await Balancer.start() : null);
  await world.start();
  return world;
}
