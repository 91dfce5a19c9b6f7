import type { Stage } from '../world/actor.ts';
import { Actor } from '../world/actor.ts';
import type { Fickle } from '../crash/sender.ts';
import { type FakeProviders } from '../providers/fake-providers.ts';
import { Random } from '../simulation/random.ts';
import { judge } from './judge.ts';
import { Lane } from './lane.ts';
import { modelOf } from './tasks.ts';
import type { ToolServerProcess } from './tool-server-process.ts';

/** People with an agent each, and two groups for each of them. */
const PEOPLE = 3;

/** A service that is killed from time to time, and comes back. */
export interface KilledService extends Stage, Fickle {
  sql<Row>(sql: string): Promise<Row[]>;
}

/** Agents with tools that work in several groups, while something is killed. */
export class HandsLoad {
  readonly #service: KilledService;
  readonly #server: ToolServerProcess;
  readonly #told = new Map<string, string>();
  readonly #lanes: Lane[] = [];
  /** Moments of kills, and of replies that people have stopped. */
  readonly #interruptions: number[] = [];
  /** From each kill until what was killed is back. */
  readonly #outages: { from: number; to: number }[] = [];
  #isStopping = false;
  #tasks = 0;
  #running: Promise<unknown> = Promise.resolve();

  private constructor(service: KilledService, server: ToolServerProcess) {
    this.#service = service;
    this.#server = server;
  }

  static async start(
    service: KilledService,
    server: ToolServerProcess,
    providers: FakeProviders,
    seed: number,
  ): Promise<HandsLoad> {
    const load = new HandsLoad(service, server);
    const people = Array.from({ length: PEOPLE }, (_, at) => new Actor(service, `p${at}`, `dev:p${at}`));
    for (const { api } of people) await api.getMe();
    for (const [at, asker] of people.entries()) {
      const agent = `${asker.username}:provider_a`;
      await asker.api.setAgentKey({ provider: 'provider_a', api_key: `key${at}` });
      providers.script(`key${at}`, modelOf(seed, load.#told));
      const tools = [
        { name: 'peek', writes: false },
        { name: 'pay', writes: true },
      ];
      const approval = at === 0 ? 'always' : 'writes';
      const given = { name: 'bank', url: server.url, identity: 'none', auth: 'none', approval, tools } as const;
      await asker.api.setAgentTools({ username: agent, servers: [given] });
      const other = people[(at + 1) % PEOPLE] ?? asker;
      for (let group = 0; group < 2; group += 1) {
        const { id: chatId } = await asker.api.startChat({ usernames: [other.username], title: `group ${group}` });
        await asker.api.addGroupAgent({ chat_id: chatId, agent_username: agent });
        const lane = new Lane({
          service,
          random: new Random(seed + 31 * load.#lanes.length),
          asker,
          other,
          agent,
          chatId,
          nextTask: () => (load.#tasks += 1),
          isStopping: () => load.#isStopping,
          onStop: () => load.interrupted(),
        });
        load.#lanes.push(lane);
      }
    }
    load.#running = Promise.all(load.#lanes.map((lane) => lane.run()));
    load.#running.catch((error: unknown) => service.report(String(error)));
    return load;
  }

  /** Something was killed at this moment, or a reply was stopped. */
  interrupted(): void {
    this.#interruptions.push(Date.now());
  }

  /** Kills something, and starts it again. */
  async again(what: { kill(): Promise<void>; start(): Promise<void> }): Promise<void> {
    const from = Date.now();
    this.interrupted();
    await what.kill();
    this.interrupted();
    await what.start();
    this.#outages.push({ from, to: Date.now() });
  }

  /** Fails if a lane has failed. */
  get running(): Promise<unknown> {
    return this.#running;
  }

  /** Lets every task end, then judges. Returns what is wrong, and counts to print. */
  async finish(): Promise<{ wrong: string[]; said: string }> {
    this.#isStopping = true;
    await this.#running;
    const { executions } = this.#server;
    const { wrong, counts } = await judge({
      sql: (sql) => this.#service.sql(sql),
      lanes: this.#lanes,
      executions,
      interruptions: this.#interruptions,
      outages: this.#outages,
      told: this.#told,
    });
    const states = Object.entries(counts).map(([state, count]) => `${count} ${state}`);
    return { wrong, said: `${this.#tasks} tasks, ${executions.length} executions, calls ${states.join(', ')}` };
  }
}
