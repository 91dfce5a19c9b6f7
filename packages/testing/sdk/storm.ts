import { type Api, ApiError } from '@parley/client';
import type { CapName, Message } from '@parley/protocol';
import { type Act, acts } from '../simulation/acts.ts';
import { Cast, type SimulatedChat } from '../simulation/cast.ts';
import { daemonActs } from '../simulation/daemon-acts.ts';
import { Random } from '../simulation/random.ts';
import { upheavals } from '../simulation/upheavals.ts';
import { Witness } from '../simulation/witness.ts';
import type { World } from '../world/world.ts';
import { Device } from './device.ts';
import { deviceActs, deviceWeights } from './device-acts.ts';
import { wholeTimeline } from './store-comparison.ts';

const capSets: readonly (readonly CapName[])[] = [
  ['ext', 'patch'],
  ['ext', 'patch', 'focus'],
  ['ext'],
  ['ext', 'focus'],
];

/** Acts of other users. Hiding is excluded, because the account's other devices are not notified of it. */
const weights = {
  send: 20, mentionAgent: 2, mentionBot: 2, sendTwice: 1, look: 2, delete: 8, react: 14, pin: 6, draft: 6, type: 4,
  markRead: 8, mute: 3, keepState: 5, clear: 1, stop: 2, createChannel: 3, deleteChannel: 1, title: 2,
} satisfies Partial<Record<keyof typeof acts, number>>; // prettier-ignore
const daemonWeights = { startReply: 5, append: 14, replace: 3, finish: 3 };
const upheavalWeights = {
  addMember: 5, removeMember: 3, leave: 1, setRole: 3, addAgent: 2, removeAgent: 1, startDirect: 3, startGroup: 1,
  trim: 1, restart: 1, crash: 1,
} satisfies Partial<Record<keyof typeof upheavals, number>>; // prettier-ignore

export interface StormReport {
  acts: number;
  sent: number;
  recoveries: number;
  reloads: number;
  reopenings: number;
}

/** Plays one seed with the SDK as the clients; throws if a store differs from a fresh load. */
export async function storm(world: World, seed: number, length: number): Promise<StormReport> {
  const random = new Random(seed);
  const cast = await Cast.gather(world, random, new Witness(), `storm${seed}`);
  // A crash may lose text of an open reply, which is not a client's fault.
  world.watcher = undefined;
  const devices: Device[] = [];
  const sent = new Map<string, string>();
  const history: string[] = [];
  try {
    for (const [at, actor] of cast.people.entries())
      devices.push(await Device.start(actor, world.url, capSets[at % capSets.length] ?? []));
    for (const device of devices) {
      for (const { id } of cast.chats) device.watch(device.store.timeline({ chat_id: id }));
      await device.caughtUp();
    }
    for (let done = 0; done < length; done += 1) {
      await step(cast, devices, sent, history);
      if (done % 60 === 59) await calm(cast, devices);
    }
    await calm(cast, devices);
    await assertSentOnce(cast, devices, sent);
    const sum = (count: (device: Device) => number) => devices.reduce((total, device) => total + count(device), 0);
    return {
      acts: length,
      sent: sent.size,
      recoveries: sum((one) => one.recoveries),
      reloads: sum((one) => one.reloads),
      reopenings: sum((one) => one.reopenings),
    };
  } catch (error) {
    throw new Error(`storm(${seed}, ${length}) failed: ${String(error)}\nafter:\n${history.slice(-40).join('\n')}`, {
      cause: error,
    });
  } finally {
    for (const device of devices) {
      device.leave();
      await device.proxy[Symbol.asyncDispose]();
    }
    for (const { id } of cast.streams) await cast.bot.api.finishMessageStream({ message_id: id }).catch(() => {});
    for (const follower of cast.followers) await follower.drop();
  }
}

async function step(
  cast: Cast,
  devices: readonly Device[],
  sent: Map<string, string>,
  history: string[],
): Promise<void> {
  const { random } = cast;
  const perform = async (name: string, act: Act): Promise<void> => {
    try {
      const what = await act(cast);
      if (what !== undefined) history.push(what);
    } catch (error) {
      // The act was not permitted, or another actor undid it at the same time.
      if (!(error instanceof ApiError) || ![403, 404, 409].includes(error.status)) throw error;
      history.push(`${name}: ${error.message}`);
    }
  };
  const kind = random.weighted({ device: 10, people: 10, daemon: 6, upheaval: 1 });
  if (kind === 'upheaval') {
    const name = random.weighted(upheavalWeights);
    return perform(name, upheavals[name]);
  }
  if (kind === 'daemon') {
    const name = random.weighted(daemonWeights);
    return perform(name, daemonActs[name]);
  }
  if (kind === 'people') {
    const names = Array.from({ length: 1 + random.below(3) }, () => random.weighted(weights));
    await Promise.all(names.map((name) => perform(name, acts[name])));
    return undefined;
  }
  const device = random.pick(devices);
  const name = random.weighted(deviceWeights);
  const what = device && deviceActs[name](device, cast, sent);
  if (what !== undefined) history.push(`${device?.whose} ${what}`);
  return undefined;
}

/** Restores the networks and waits until every store has caught up. */
async function calm(cast: Cast, devices: readonly Device[]): Promise<void> {
  for (const { proxy } of devices) proxy.heal();
  await cast.world.turnsEnded();
  await cast.settle();
  for (const device of devices) await device.caughtUp();
}

/** No message exists twice. A missing one was refused or deleted. */
async function assertSentOnce(
  cast: Cast,
  devices: readonly Device[],
  sent: ReadonlyMap<string, string>,
): Promise<void> {
  const found = new Map<string, string>();
  for (const { actor } of devices)
    for (const chat of cast.chats) {
      const seen = cast.witness.isMember(chat.id, actor.username) ? await wholeChat(actor.api, chat) : [];
      for (const { id, content } of seen) {
        const before = found.get(content);
        if (before !== undefined && before !== id && [...sent.values()].includes(content))
          throw new Error(`${content} was sent once, but is stored as ${before} and ${id}`);
        found.set(content, id);
      }
    }
}

async function wholeChat(api: Api, { id, channelIds }: SimulatedChat): Promise<Message[]> {
  const all: Message[] = [];
  for (const channel_id of [undefined, ...channelIds]) {
    const place = { chat_id: id, channel_id: channel_id ?? null, thread_root_id: null };
    const items = (await wholeTimeline(api, { key: place })) ?? [];
    all.push(...items);
    for (const root of items)
      if (root.thread) all.push(...((await wholeTimeline(api, { key: { ...place, thread_root_id: root.id } })) ?? []));
  }
  return all;
}
