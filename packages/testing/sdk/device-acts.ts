import type { TimelineKey } from '@parley/client';
import type { Cast, SimulatedChat } from '../simulation/cast.ts';
import type { Random } from '../simulation/random.ts';
import type { Device } from './device.ts';

/** Does something with a device; returns a description. */
type DeviceAct = (device: Device, cast: Cast, sent: Map<string, string>) => string | undefined;

/** Actions of people on their pages, and faults of their networks. */
export const deviceActs = {
  look(device, cast) {
    const chat = someChat(device, cast);
    if (!chat) return undefined;
    device.watch(device.store.timeline(somePlace(chat, cast.random)));
    return 'opens a window';
  },
  lookAway(device, { random }) {
    device.unwatch(random.pick(device.open.keys()));
    return 'closes a window';
  },
  scroll(device, { random }) {
    const timeline = random.pick(device.open.keys());
    const way = random.weighted({ loadOlder: 5, loadNewer: 3, jumpToNewest: 1 });
    void timeline?.[way]();
    return timeline && way;
  },
  jump(device, cast) {
    const timeline = cast.random.pick(device.open.keys());
    const chat = cast.chats.find(({ id }) => id === timeline?.key.chat_id);
    const message = cast.random.pick(chat?.messages ?? []);
    if (!timeline || !message) return undefined;
    const isHere =
      message.thread_root_id === timeline.key.thread_root_id && message.channel_id === timeline.key.channel_id;
    void timeline.jumpTo(isHere && cast.random.chance(0.7) ? message.id : new Date(message.created_at));
    return 'jumps';
  },
  send(device, cast, sent) {
    const chat = someChat(device, cast);
    if (!chat) return undefined;
    const text = cast.witness.newToken();
    const { client_msg_id } = device.client.send({ ...somePlace(chat, cast.random), text });
    sent.set(`${device.actor.username} ${client_msg_id}`, text);
    return `sends ${text}`;
  },
  edit(device, { random }) {
    const own = someMessage(device, random, true);
    if (!own) return undefined;
    void device.store.edit(own, `edited ${random.below(1_000)}`).catch(() => {});
    return `edits ${own}`;
  },
  react(device, { random }) {
    const id = someMessage(device, random, false);
    if (!id) return undefined;
    const isOn = random.chance(0.6);
    void device.store.react(id, random.pick(['👍', '🎉']) ?? '👍', isOn).catch(() => {});
    return `${isOn ? 'reacts to' : 'takes a reaction from'} ${id}`;
  },
  remove(device, { random }) {
    const own = someMessage(device, random, true);
    if (!own) return undefined;
    void device.store.remove([own]).catch(() => {});
    return `deletes ${own}`;
  },
  markRead(device, { random }) {
    const timeline = random.pick(device.open.keys());
    const id = random.pick(timeline?.get().ids ?? []);
    if (!timeline || id === undefined) return undefined;
    void device.store.markRead(timeline.key.chat_id, id).catch(() => {});
    return `has read ${id}`;
  },
  focus(device, cast) {
    const chat = someChat(device, cast);
    device.client.setFocus(chat && cast.random.chance(0.8) ? somePlace(chat, cast.random) : null);
    return 'looks elsewhere';
  },
  reload(device, cast) {
    device.reload();
    const chat = someChat(device, cast);
    if (chat) device.watch(device.store.timeline({ chat_id: chat.id }));
    return 'reloads its page';
  },
  reopen(device, cast) {
    const saved = device.store.save({ messages: 3, timelines: 4 });
    if (!saved) return undefined;
    device.reload(saved);
    const chat = someChat(device, cast);
    if (chat) device.watch(device.store.timeline({ chat_id: chat.id }));
    for (const { key } of saved.timelines) device.watch(device.store.timeline(key));
    return 'closes its page and opens it from what it saved';
  },
  delay({ proxy }, { random }) {
    proxy.delayMs = random.below(8);
    return `has a delay of ${proxy.delayMs} ms`;
  },
  cut({ proxy }, { random }) {
    proxy.cut({ reset: random.chance(0.5) });
    return 'is cut off';
  },
  cutWithin({ proxy }, { random }) {
    const bytes = random.below(3_000);
    if (random.chance(0.5)) proxy.cutAfterBytes = bytes;
    else proxy.cutAfterSentBytes = bytes;
    return `is cut off after ${bytes} bytes`;
  },
  silence({ proxy }) {
    proxy.silence();
    return 'has a silent network';
  },
  takeDown({ proxy }) {
    proxy.takeDown();
    return 'has no network';
  },
  heal({ proxy }) {
    proxy.heal();
    return 'has a working network';
  },
} as const satisfies Record<string, DeviceAct>;

export const deviceWeights = {
  look: 8, lookAway: 3, scroll: 8, jump: 4, send: 12, edit: 5, react: 6, remove: 2, markRead: 4, focus: 5, reload: 2, reopen: 3,
  delay: 3, cut: 4, cutWithin: 4, silence: 1.5, takeDown: 1.5, heal: 6,
} satisfies Record<keyof typeof deviceActs, number>; // prettier-ignore

function someChat({ actor }: Device, { random, chats, witness }: Cast): SimulatedChat | undefined {
  return random.pick(chats.filter(({ id }) => witness.isMember(id, actor.username)));
}

/** A message in an open window, also one that is not sent yet. */
function someMessage({ open, store, actor }: Device, random: Random, isOwn: boolean): string | undefined {
  const ids = random.pick(open.keys())?.get().ids ?? [];
  return random.pick(ids.filter((id) => !isOwn || store.message(id).get()?.sender.username === actor.username));
}

function somePlace({ id, channelIds, messages }: SimulatedChat, random: Random): TimelineKey {
  const roots = messages.filter(({ thread_root_id }) => thread_root_id === null);
  const root = random.chance(0.25) ? random.pick(roots) : undefined;
  if (root) return { chat_id: id, channel_id: root.channel_id, thread_root_id: root.id };
  const channel = random.chance(0.3) ? random.pick(channelIds) : undefined;
  return { chat_id: id, channel_id: channel ?? null };
}
