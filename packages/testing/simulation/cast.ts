import type { Message } from '@parley/protocol';
import type { Actor } from '../world/actor.ts';
import type { DaemonStream } from '../world/daemon-stream.ts';
import type { Follower } from '../model/follower.ts';
import type { World } from '../world/world.ts';
import type { Random } from './random.ts';
import type { Witness } from './witness.ts';

const PEOPLE = 4;
/** Each actor has a client without caps and one with some of these, half of those with `ext` too. */
const allCaps = [
  'ext',
  'nodrafts',
  'patch',
  'focus',
  'nodrafts,patch',
  'nodrafts,focus',
  'patch,focus',
  'nodrafts,patch,focus',
];

export interface SimulatedChat {
  id: string;
  kind: 'direct' | 'group';
  channelIds: string[];
  /** Messages that were sent and, as far as known, not deleted. */
  messages: Message[];
}

/** The participants of one simulation. */
export class Cast {
  readonly world: World;
  readonly random: Random;
  readonly witness: Witness;
  readonly people: readonly Actor[];
  readonly bot: Actor;
  /** The username of a provider's agent. */
  readonly agent: string;
  readonly followers: Follower[] = [];
  readonly chats: SimulatedChat[] = [];
  /** Ids of private decisions. */
  readonly asked: string[] = [];
  /** What became of decisions, as it was told to whoever ended one, by their ids. */
  readonly outcomes = new Map<string, string>();
  /** Open replies of the bot. */
  streams: DaemonStream[] = [];

  private constructor(of: Pick<Cast, 'world' | 'random' | 'witness' | 'people' | 'bot' | 'agent'>) {
    this.world = of.world;
    this.random = of.random;
    this.witness = of.witness;
    this.people = of.people;
    this.bot = of.bot;
    this.agent = of.agent;
  }

  /** People with unique names in this world, two groups, a direct chat, and clients that follow. */
  static async gather(world: World, random: Random, witness: Witness, name: string): Promise<Cast> {
    const people: Actor[] = [];
    for (let at = 0; at < PEOPLE; at += 1) people.push(await world.person(`${name}_${at}`));
    const [owner] = people;
    if (!owner) throw new Error('a simulation needs people');
    const bot = await world.bot(owner);
    const key = `key-of-${owner.username}`;
    let replies = 0;
    world.providers.script(key, () => {
      replies += 1;
      return replies % 4 === 0
        ? { chunks: ['Well'], ending: 'error' }
        : { chunks: ['So ', 'it ', 'is', '… ', 'ñ', '🙂', '!'] };
    });
    await owner.api.setAgentKey({ provider: 'provider_a', api_key: key });
    const cast = new Cast({ world, random, witness, people, bot, agent: `${owner.username}:provider_a` });
    world.watcher = witness;
    for (const actor of [...people, bot])
      for (const caps of ['', `${random.pick(allCaps)}${random.pick(['', ',ext'])}`]) {
        const follower = actor.follower(caps);
        if (random.chance(0.5)) follower.recoverOver = 'http';
        follower.pageLimit = random.pick([undefined, undefined, 1, 3, 20]);
        follower.onFrame = (frame) => witness.readFrame(follower.whose, frame);
        cast.followers.push(await follower.load());
        await follower.connect();
      }
    await cast.startGroup(owner, people);
    await cast.startGroup(people[1] ?? owner, [owner]);
    return cast;
  }

  async startGroup(owner: Actor, others: readonly Actor[]): Promise<void> {
    const usernames = others.filter((other) => other !== owner).map(({ username }) => username);
    const { id } = await owner.api.startChat({ usernames, title: 'a group' });
    this.chats.push({ id, kind: 'group', channelIds: [], messages: [] });
    this.witness.setMembers(id, [owner.username, ...usernames]);
    if (owner !== this.people[0]) return;
    const agents = [this.bot.username, this.agent];
    // Set before the answer, because added members may receive events first.
    this.witness.setMembers(id, [owner.username, ...usernames, ...agents]);
    for (const agent of agents) await owner.api.addGroupAgent({ chat_id: id, agent_username: agent });
  }

  actor(username: string): Actor | undefined {
    return [...this.people, this.bot].find((actor) => actor.username === username);
  }

  membersOf(chat: SimulatedChat): Actor[] {
    return [...this.people, this.bot].filter(({ username }) => this.witness.isMember(chat.id, username));
  }

  /** A random person in a random conversation. */
  someone(isMeant: (actor: Actor, chat: SimulatedChat) => boolean = (actor) => actor !== this.bot) {
    const places = this.chats.flatMap((chat) => this.membersOf(chat).map((actor) => ({ chat, actor })));
    return this.random.pick(places.filter(({ actor, chat }) => isMeant(actor, chat)));
  }

  followersOf(username: string): Follower[] {
    return this.followers.filter(({ account }) => account === username);
  }

  /** Waits until everything that was sent has been received and handled. */
  async settle(): Promise<void> {
    for (const follower of this.followers) follower.socket?.resume();
    for (;;) {
      await this.world.settle();
      const before = this.followers.map(({ handled }) => handled);
      await Promise.all(this.followers.map((follower) => follower.idle()));
      if (this.followers.every(({ handled }, at) => handled === before[at])) break;
    }
    // A slow reader would learn only from the next tick that its last frames were skipped.
    for (const follower of this.followers) if (follower.socket?.chain.mayHaveGaps) await follower.ask();
    this.witness.checkpoint();
  }
}
