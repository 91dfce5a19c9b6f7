import type { Message } from '@parley/protocol';
import type { Actor } from '../world/actor.ts';
import { compareAll } from '../model/follower.ts';
import { indexLog, trimLog } from '../stores/tend-log.ts';
import type { Act } from './acts.ts';
import type { Cast, SimulatedChat } from './cast.ts';

/**
 * Number of messages of 180 KB: together more than the service and the system buffer for a reader that does not read.
 */
const FLOOD = 40;

const ofPeople = (cast: Cast) => (actor: Actor, chat: SimulatedChat) => chat.kind === 'group' && actor !== cast.bot;

/** Things that happen alone: membership changes, broken connections, restarts and crashes of the service. */
export const upheavals = {
  async addMember(cast) {
    const place = cast.someone(ofPeople(cast));
    const added = cast.random.pick(cast.people);
    if (!place || !added) return undefined;
    const { actor, chat } = place;
    await changeMembers(cast, chat, [added.username], () =>
      actor.api.addMembers({ chat_id: chat.id, usernames: [added.username] }),
    );
    return `${actor.username} adds ${added.username}`;
  },

  async removeMember(cast) {
    const place = cast.someone(ofPeople(cast));
    const removed = place && cast.random.pick(cast.membersOf(place.chat));
    if (!place || !removed) return undefined;
    const { actor, chat } = place;
    await changeMembers(cast, chat, [], () => actor.api.removeMember({ chat_id: chat.id, username: removed.username }));
    return `${actor.username} removes ${removed.username}`;
  },

  async leave(cast) {
    const place = cast.someone(ofPeople(cast));
    if (!place) return undefined;
    const { actor, chat } = place;
    await changeMembers(cast, chat, [], () => actor.api.leaveChat({ chat_id: chat.id }));
    return `${actor.username} leaves`;
  },

  async join(cast) {
    const place = cast.someone(ofPeople(cast));
    const joining = cast.random.pick(cast.people);
    if (!place || !joining) return undefined;
    const chat_id = place.chat.id;
    const { items } = await place.actor.api.getInvites({ chat_id });
    const max_uses = cast.random.pick([undefined, 1, 2]);
    const token = cast.random.pick(items)?.token ?? (await place.actor.api.createInvite({ chat_id, max_uses })).token;
    await changeMembers(cast, place.chat, [joining.username], () => joining.api.joinChat({ token }));
    return `${joining.username} joins by an invite of ${place.actor.username}`;
  },

  async setRole(cast) {
    const place = cast.someone(ofPeople(cast));
    const other = cast.random.pick(cast.people);
    if (!place || !other) return undefined;
    const role = cast.random.weighted({ owner: 1, admin: 4, member: 3 });
    await place.actor.api.setMemberRole({ chat_id: place.chat.id, username: other.username, role });
    return `${place.actor.username} makes ${other.username} ${role}`;
  },

  async addAgent(cast) {
    const owner = cast.people[0];
    const chat = cast.random.pick(cast.chats.filter(({ kind }) => kind === 'group'));
    if (!owner || !chat) return undefined;
    const agent = cast.random.chance(0.5) ? cast.bot.username : cast.agent;
    const mode = { chat_id: chat.id, agent_username: agent, always_on: cast.random.chance(0.2) };
    await changeMembers(cast, chat, [agent], async () => {
      await owner.api.addGroupAgent(mode);
      await owner.api.setGroupAgentMode({ ...mode, follows_threads: agent === cast.agent });
    });
    return `${owner.username} adds ${agent}`;
  },

  async removeAgent(cast) {
    const owner = cast.people[0];
    const chat = cast.random.pick(cast.chats.filter(({ kind }) => kind === 'group'));
    if (!owner || !chat) return undefined;
    const agent = cast.random.chance(0.5) ? cast.bot.username : cast.agent;
    await changeMembers(cast, chat, [], () => owner.api.removeGroupAgent({ chat_id: chat.id, agent_username: agent }));
    return `${owner.username} removes ${agent}`;
  },

  async startDirect(cast) {
    const one = cast.random.pick(cast.people);
    const other = cast.random.pick(cast.people);
    if (!one || !other) return undefined;
    const { id } = await one.api.startChat({ username: other.username });
    if (cast.chats.every((chat) => chat.id !== id)) {
      cast.chats.push({ id, kind: 'direct', channelIds: [], messages: [] });
      cast.witness.setMembers(id, [one.username, other.username]);
    }
    return `${one.username} starts a chat with ${other.username}`;
  },

  async startSeparate(cast) {
    const owner = cast.people[0];
    if (!owner || cast.chats.length >= 6) return undefined;
    await cast.settle();
    const { id } = await owner.api.startChat({ username: cast.agent, new: true });
    if (cast.chats.every((chat) => chat.id !== id)) {
      cast.chats.push({ id, kind: 'direct', channelIds: [], messages: [] });
      cast.witness.setMembers(id, [owner.username, cast.agent]);
    }
    return `${owner.username} starts a separate chat with ${cast.agent}`;
  },

  async deleteSeparate(cast) {
    const chat = cast.random.pick(cast.chats.filter(({ id }) => cast.witness.isMember(id, cast.agent)));
    const owner = cast.people[0];
    if (!owner || chat?.kind !== 'direct') return undefined;
    await changeMembers(cast, chat, [], () => owner.api.deleteChat({ chat_id: chat.id }));
    cast.chats.splice(cast.chats.indexOf(chat), 1);
    return `${owner.username} deletes the separate chat ${chat.id}`;
  },

  async startGroup(cast) {
    const owner = cast.random.pick(cast.people);
    if (!owner || cast.chats.length >= 6) return undefined;
    await cast.startGroup(
      owner,
      cast.people.filter(() => cast.random.chance(0.5)),
    );
    return `${owner.username} starts a group`;
  },

  async drop(cast) {
    const follower = cast.random.pick(cast.followers.filter(({ socket }) => socket?.isOpen));
    if (!follower) return undefined;
    await follower.drop({ losing: cast.random.chance(0.5) });
    return `${follower.whose} is cut off`;
  },

  async reconnect(cast) {
    const follower = cast.random.pick(cast.followers.filter(({ socket }) => socket === null));
    if (!follower) return undefined;
    await follower.connect();
    return `${follower.whose} is back`;
  },

  async pause(cast) {
    const follower = cast.random.pick(cast.followers.filter(({ socket }) => socket?.isOpen && !socket.isPaused));
    follower?.socket?.pause();
    return follower && `${follower.whose} stops reading`;
  },

  async resume(cast) {
    const follower = cast.random.pick(cast.followers.filter(({ socket }) => socket?.isPaused));
    follower?.socket?.resume();
    return follower && `${follower.whose} reads on`;
  },

  async flood(cast) {
    const place = cast.someone((actor) => actor === cast.bot);
    if (!place || cast.followers.every(({ socket }) => !socket?.isPaused)) return undefined;
    const sent: Message[] = [];
    for (let at = 0; at < FLOOD; at += 1) {
      const text = `${cast.witness.newToken()} ${'flood '.repeat(30_000)}`;
      sent.push(await cast.bot.api.sendMessage({ chat_id: place.chat.id, text }));
    }
    await cast.bot.api.deleteMessages({ message_ids: sent.map(({ id }) => id) });
    for (const { content } of sent) cast.witness.bury(content);
    return 'the bot floods a chat';
  },

  restart: (cast) => comeBack(cast, 'restart'),
  crash: (cast) => comeBack(cast, 'crash'),

  async index(cast) {
    await indexLog(cast.world.service);
    return 'the log is indexed';
  },

  async trim(cast) {
    const kept = cast.random.below(40);
    await trimLog(cast.world.service, kept);
    return `the log is trimmed to ${kept} events`;
  },

  async checkpoint(cast) {
    await cast.world.turnsEnded();
    await cast.settle();
    await compareAll(cast.followers.filter(({ socket }) => socket?.isOpen));
    return 'all is well so far';
  },
} as const satisfies Record<string, Act>;

/**
 * Changes membership while nothing else is running: once everything has been received, accounts outside must receive
 * nothing. Clients without `ext` get no event for it, so they are informed here.
 */
async function changeMembers(
  cast: Cast,
  chat: SimulatedChat,
  joining: string[],
  change: () => Promise<unknown>,
): Promise<void> {
  const { witness, world } = cast;
  await cast.settle();
  const before = everyone(cast).filter((username) => witness.isMember(chat.id, username));
  witness.setMembers(chat.id, [...before, ...joining]);
  try {
    await change();
  } finally {
    await cast.settle();
    const after = await membersNow(cast, chat);
    witness.setMembers(chat.id, after);
    for (const username of everyone(cast))
      if (before.includes(username) !== after.includes(username))
        for (const follower of cast.followersOf(username)) if (!follower.has('ext')) follower.forget(chat.id);
    await world.settle();
  }
}

const everyone = (cast: Cast): string[] => [
  ...cast.people.map(({ username }) => username),
  cast.bot.username,
  cast.agent,
];

/** The members as one of them sees them; empty if all have left. */
async function membersNow(cast: Cast, chat: SimulatedChat): Promise<string[]> {
  for (const { api } of cast.people) {
    const members = await api.getMembers({ chat_id: chat.id }).catch(() => undefined);
    if (members) return members.items.map(({ username }) => username);
  }
  return [];
}

async function comeBack(cast: Cast, way: 'restart' | 'crash'): Promise<string> {
  const { world, followers, random, witness } = cast;
  for (const { socket } of followers) socket?.resume();
  await world[way]();
  // Everything that the old service sent has arrived or is lost.
  for (const { socket } of followers) await socket?.closed;
  witness.restarted();
  for (const follower of followers) {
    await follower.drop({ losing: random.chance(0.5) });
    if (random.chance(0.7)) await follower.connect();
  }
  return `the service has a ${way}`;
}
