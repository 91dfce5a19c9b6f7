import { copyFileSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Conversation } from '@parley/protocol';
import { type Clock, systemClock } from '@parley/server/clock.ts';
import { readConfig } from '@parley/server/config.ts';
import { createService, type Service, type ServiceOptions } from '@parley/server/service.ts';
import { type RunningServer, startServer } from '@parley/server/transport/server.ts';
import pino from 'pino';
import { Actor, type Stage, type Watcher } from './actor.ts';
import { CountingClock } from './counting-clock.ts';
import { type FakeProviders, startFakeProviders } from './fake-providers.ts';
import { countHandles, leakedHandles } from './open-handles.ts';
import type { SeenThreads } from './model/client-state.ts';
import { settle } from './settle.ts';
import { slowReads } from './slow-reads.ts';
import type { TestSocket } from './test-socket.ts';
import { turnOfLoop } from './turn-of-loop.ts';

export interface WorldOptions extends Pick<ServiceOptions, 'settings' | 'startStore'> {
  /** The system's unless a test moves time itself. */
  clock?: Clock;
  /** Variables of the configuration. */
  env?: Readonly<Record<string, string>>;
  /** The test makes the service log errors; otherwise an error in the log fails the world. */
  expectsErrors?: boolean;
}

export interface LogLine extends Record<string, unknown> {
  level: number;
  msg: string;
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
  readonly #sockets = new Set<TestSocket>();
  readonly #problems: string[] = [];
  readonly #folders: string[] = [];
  #running: { service: Service; server: RunningServer } | null = null;
  #url = '';
  #members = 0;

  constructor(providers: FakeProviders, options: WorldOptions) {
    this.providers = providers;
    this.#options = options;
    this.#clock = new CountingClock(options.clock ?? systemClock);
  }

  get service(): Service {
    if (!this.#running) throw new Error('the world is closed');
    return this.#running.service;
  }

  get url(): string {
    return this.#url;
  }

  get dataDir(): string {
    return this.#folders.at(-1) ?? '';
  }

  /** What the service logged as errors. */
  get errors(): string[] {
    return this.logs.filter(({ level }) => level >= ERROR_LEVEL).map((line) => JSON.stringify(line));
  }

  /** Starts the service, on the folder of the former one if there was one. */
  async start(): Promise<void> {
    if (this.#folders.length === 0) this.#folders.push(newFolder());
    const { settings, startStore, env } = this.#options;
    const config = readConfig({
      DATA_DIR: this.dataDir,
      // Actors know the address: a service that comes back comes back there.
      PORT: this.#url === '' ? '0' : new URL(this.#url).port,
      RATE_LIMITS: '0',
      ...this.providers.env,
      ...env,
    });
    const logger = pino(
      { level: 'debug', base: null },
      { write: (line: string) => void this.logs.push(JSON.parse(line)) },
    );
    const service = await createService({
      config,
      logger,
      clock: this.#clock,
      ...(settings && { settings }),
      ...(startStore && { startStore }),
      // SLOW_READS=1 runs any test as if the store were on another machine.
      ...(process.env['SLOW_READS'] && { wrapRead: slowReads }),
    });
    const server = await startServer(service);
    this.#running = { service, server };
    this.#url = server.url;
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
    return settle(this.service, this.#sockets, this.#options.clock === undefined);
  }

  /** Resolves when no agent of the service's own is replying or waiting to. */
  async turnsEnded(): Promise<void> {
    do {
      await this.settle();
      await turnOfLoop();
    } while (this.service.turns.runningCount > 0);
  }

  /** Stops the service as SIGTERM does and starts it on the same data. */
  async restart(): Promise<void> {
    await this.#stop();
    await this.start();
  }

  /** The service dies in the midst of things: what is in memory alone is lost, what is stored is not. */
  async crash(): Promise<void> {
    while (this.service.units.inFlight > 0) await turnOfLoop();
    // Nothing is being written at this moment, and nobody may hear what the old one says from now on.
    this.#folders.push(copyOf(this.dataDir));
    const lost = this.#openSockets().map((socket) => socket.terminate());
    await this.#stop();
    await Promise.all(lost);
    await this.start();
  }

  async close(): Promise<void> {
    if (this.#running) {
      await Promise.all(this.#openSockets().map((socket) => socket.terminate()));
      await this.#stop();
    }
    await this.providers.close();
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
    this.#problems.push(...[...this.#sockets].flatMap(({ problems }) => problems));
    if (!this.#options.expectsErrors) this.#problems.push(...this.errors);
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
    const { service, server } = this.#running ?? {};
    this.#running = null;
    await server?.close();
    if (service && service.sockets.count > 0) this.report(`${service.sockets.count} sockets outlived the service`);
    this.#problems.push(...this.#clock.pending.map((timer) => `${timer} outlived the service`));
  }
}

/** Starts a world; `await using` ends it, and fails when something was against the rules or left open. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const world = new World(await startFakeProviders(), options);
  await world.start();
  return world;
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'parley-world-'));

function copyOf(folder: string): string {
  const copy = newFolder();
  for (const name of ['parley.db', 'parley.db-wal', 'secrets.key'])
    if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy, name));
  cpSync(join(folder, 'files'), join(copy, 'files'), { recursive: true });
  return copy;
}
