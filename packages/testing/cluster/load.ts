import type { Message } from '@parley/protocol';
import { Actor } from '../world/actor.ts';
import { CrashDaemon } from '../crash/daemon.ts';
import { ContestedDecisions } from '../crash/decisions.ts';
import { Scheduler } from '../crash/scheduler.ts';
import { Sender } from '../crash/sender.ts';
import { Tally } from '../crash/tally.ts';
import { type FakeProviders, type RecordedRequest, SteeredReply } from '../providers/fake-providers.ts';
import { compareAll, type Follower } from '../model/follower.ts';
import { Guests } from './guests.ts';
import { LoyalFollower } from './loyal-follower.ts';
import type { ProcessCluster } from './process-cluster.ts';

/** Number of parallel send loops per person. */
const LOOPS = 2;
/** Maximum by which the time of a message may lie before that of an earlier position, or after the current time. */
const LONGEST_WAIT_MS = 20_000;
const MAX_GUESTS = 10_000;
const AGENT = 'alice:provider_a';
const WORDS = ['It ', 'is ', 'so, ', 'and ', 'it ', 'stays ', 'so ', 'for ', 'ever.'];
const WORD_MS = 80;
/** Messages per mention of the agent: many, because a reply takes most of a second and few run at the same time. */
const MENTION_EVERY = 25;

/** Pause after each decision, in milliseconds. */
const DECISION_PACE_MS = 100;
/** Pause after each guest, as a multiple of the pause of a sender. */
const GUEST_PACE = 40;

interface LoadOptions {
  /** Pause of each sender after an acknowledged message, in milliseconds; 0 for none. */
  paceMs: number;
}

/** People, a bot and an agent that all write in one group, and clients that follow them. */
export class Load {
  readonly tally = new Tally();
  readonly #cluster: ProcessCluster;
  readonly #chatId: string;
  readonly #senders: readonly Sender[];
  readonly #daemon: CrashDaemon;
  readonly #scheduler: Scheduler;
  readonly #decisions: ContestedDecisions;
  readonly #followers: readonly Follower[];
  readonly #loyal: LoyalFollower[] = [];
  readonly #guests: Guests;
  #running: Promise<unknown> = Promise.resolve();

  private constructor(
    cluster: ProcessCluster,
    chatId: string,
    members: readonly [Actor, Actor],
    bot: Actor,
    { paceMs }: LoadOptions,
  ) {
    this.#cluster = cluster;
    this.#chatId = chatId;
    const load = {
      service: cluster,
      tally: this.tally,
      chatId,
      agent: AGENT,
      mentionEvery: MENTION_EVERY,
      paceMs,
      positions: { highest: 0 },
    };
    this.#senders = members.flatMap((actor) =>
      (['http', 'socket'] as const).map((over) => new Sender({ ...load, actor, over })),
    );
    this.#guests = new Guests({ cluster, tally: this.tally, host: members[0], chatId, paceMs: paceMs * GUEST_PACE });
    this.#daemon = new CrashDaemon(cluster, this.tally, bot, chatId, paceMs);
    this.#scheduler = new Scheduler(cluster, this.tally, members[1], chatId);
    this.#decisions = new ContestedDecisions(cluster, this.tally, members, chatId, paceMs + DECISION_PACE_MS);
    this.#followers = [...members, bot].flatMap((actor) => ['', 'nodrafts', 'ext'].map((caps) => actor.follower(caps)));
  }

  /** Starts the load. */
  static async start(cluster: ProcessCluster, providers: FakeProviders, options: LoadOptions): Promise<Load> {
    const names = ['alice', 'bob', 'mallory'];
    const people = names.map((name) => new Actor(cluster, name, `dev:${name}`));
    for (const { api } of people) await api.getMe();
    const [alice, bob, mallory] = people as [Actor, Actor, Actor]; // three names, three people
    const created = await alice.api.createBot({ slug: 'daemon', display_name: 'Daemon' });
    const bot = new Actor(cluster, created.bot.username, created.token);
    await alice.api.setAgentKey({ provider: 'provider_a', api_key: 'key' });
    providers.script('key', slowly);
    const { id: chatId } = await alice.api.startChat({ usernames: ['bob'], title: 'a group' });
    for (const agent_username of [AGENT, bot.username])
      await alice.api.addGroupAgent({ chat_id: chatId, agent_username });
    const load = new Load(cluster, chatId, [alice, bob], bot, options);
    // Guests come and go, and follow the group themselves.
    const guests = Array.from({ length: MAX_GUESTS }, (_, at) => `guest${at + 1}`);
    cluster.watcher.setMembers(chatId, [alice.username, bob.username, bot.username, AGENT, ...guests]);
    // Mallory is in another conversation and must see nothing of this one.
    await load.#begin(mallory);
    return load;
  }

  /** Ends the load; then checks that everything acknowledged is stored once and that all clients have it. */
  async finish(title: string): Promise<void> {
    this.tally.isStopping = true;
    await this.#running;
    const cluster = this.#cluster;
    const open = `SELECT (SELECT count(*) FROM streams) + (SELECT count(*) FROM turns
      WHERE runner = 'server' AND state IN ('queued', 'streaming')) AS count`;
    await cluster.until(
      'every stream has ended',
      async () => (await cluster.sql<{ count: number }>(open))[0]?.count === 0,
    );
    for (const loyal of this.#loyal) await loyal.caughtUp();
    await compareAll(this.#followers);
    await this.#guests.finish();
    const [follower] = this.#followers;
    const history = [...((await follower?.fetch())?.chats.get(this.#chatId)?.messages.values() ?? [])];
    const { lost, doubled } = this.#compare(history);
    this.#checkTimes(history);
    const replies = history.filter(({ sender }) => sender.username === AGENT);
    this.#checkReplies(replies);
    for (const problem of await this.#decisions.wrong()) cluster.report(problem);
    const counts = Map.groupBy(replies, ({ status }) => status);
    const recovered = this.#followers.map((one) => one.recovered);
    const sum = (key: keyof Follower['recovered']) => recovered.reduce((total, one) => total + one[key], 0);
    process.stdout.write(
      `cluster: ${title}: ${cluster.kills} kills, ${this.tally.acknowledged} acknowledged, ${this.tally.retries} retries, ` +
        `${lost} lost, ${doubled} doubled, ${this.#scheduler.texts.length} scheduled messages, ${this.#daemon.finished.size} daemon replies, ${this.#decisions.outcomes.size} decisions, ${this.#guests.count} guests, provider replies ` +
        `${[...counts].map(([status, { length }]) => `${length} ${status}`).join(', ')}; clients fetched ` +
        `${sum('frames')} frames in ${sum('fetches')} pages, ${sum('reloads')} reloads, ${sum('snapshots')} snapshots\n`,
    );
    for (const { process } of cluster.members)
      if (!process.isRunning) cluster.report(`a node exited unexpectedly: ${process.errors.at(-1)}`);
    if (lost + doubled > 0) cluster.report(`${lost} lost, ${doubled} doubled`);
    for (const loyal of this.#loyal) await loyal.end();
  }

  async #begin(mallory: Actor): Promise<void> {
    const cluster = this.#cluster;
    const outside = mallory.follower('ext');
    const all = [...this.#followers, outside];
    for (const follower of all) {
      follower.onFrame = (frame) => cluster.watcher.readFrame(follower.whose, frame);
      const loyal = new LoyalFollower(cluster, follower);
      await loyal.begin();
      this.#loyal.push(loyal);
    }
    const senders = this.#senders.map((sender) => sender.run(LOOPS));
    this.#running = Promise.all([
      ...senders,
      this.#daemon.run(),
      this.#scheduler.run(),
      this.#decisions.run(),
      this.#guests.run(),
    ]);
    // Reports a failure of the load even if nothing awaits it yet.
    this.#running.catch((error: unknown) => cluster.report(String(error)));
  }

  #compare(history: readonly Message[]): { lost: number; doubled: number } {
    const byClientId = Map.groupBy(history, ({ client_msg_id }) => client_msg_id);
    let lost = 0;
    let doubled = 0;
    for (const { clientMsgId, text, acknowledged } of this.#senders.flatMap(({ sendings }) => sendings)) {
      const stored = byClientId.get(clientMsgId) ?? [];
      if (stored.length > 1) doubled += 1;
      const isThere = stored.some(
        ({ id, position, content }) =>
          id === acknowledged?.id && position === acknowledged.position && content === text,
      );
      if (isThere) continue;
      lost += 1;
      this.#cluster.report(`lost: "${text}" at ${acknowledged?.position}; there is ${JSON.stringify(stored)}`);
    }
    for (const [id, { text }] of this.#daemon.finished) {
      const found = history.find((message) => message.id === id);
      if (found?.status === 'complete' && found.content === text) continue;
      lost += 1;
      this.#cluster.report(`lost: "${text}" of the daemon; there is ${JSON.stringify(found)}`);
    }
    for (const text of this.#scheduler.wrong(history)) this.#cluster.report(`"${text}" was not sent exactly once`);
    const texts = new Set(history.map(({ id }) => id));
    if (texts.size < history.length) doubled += 1;
    return { lost, doubled };
  }

  /** The nodes share one clock, whatever the machines' clocks say. */
  #checkTimes(history: readonly Message[]): void {
    let latest = 0;
    for (const { id, created_at } of history) {
      const at = Date.parse(created_at);
      if (at < latest - LONGEST_WAIT_MS || at > Date.now() + LONGEST_WAIT_MS)
        this.#cluster.report(`${id} is of ${created_at}, behind one of ${new Date(latest).toISOString()}`);
      latest = Math.max(latest, at);
    }
  }

  /** Checks for one reply per firing, complete unless its status says otherwise. */
  #checkReplies(replies: readonly Message[]): void {
    const whole = WORDS.join('');
    for (const [trigger, { length }] of Map.groupBy(replies, ({ reply_to_id }) => reply_to_id))
      if (length > 1) this.#cluster.report(`${length} replies to ${trigger}`);
    for (const { id, status, content } of replies) {
      const isRight = status === 'complete' ? content === whole : status !== 'streaming' && whole.startsWith(content);
      if (!isRight) this.#cluster.report(`the reply ${id} is ${status}: "${content}"`);
    }
  }
}

/** Streams a reply word by word until the client disconnects. */
function slowly(): SteeredReply {
  const reply = new SteeredReply();
  const words = [...WORDS];
  const timer = setInterval(() => {
    const word = words.shift();
    if (word !== undefined) return reply.text(word);
    reply.end();
    return clearInterval(timer);
  }, WORD_MS);
  void reply.started.then(({ closed }: RecordedRequest) => closed).then(() => clearInterval(timer));
  return reply;
}
