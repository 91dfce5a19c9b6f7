import type { Message } from '@parley/protocol';
import { ManualClock } from '../clocks/manual-clock.ts';
import { Random } from '../simulation/random.ts';
import type { Actor } from '../world/actor.ts';
import { DaemonStream } from '../world/daemon-stream.ts';
import { createWorld } from '../world/world.ts';
import { PlainClient, type Reading, reactionsOf } from './plain-client.ts';

const clients: readonly [reading: Reading, caps: string][] = [
  ['literal', ''],
  ['literal', 'patch'],
  ['literal', 'focus'],
  ['literal', 'patch,focus'],
  ['literal', 'nodrafts'],
  ['changing', ''],
  ['changing', 'patch'],
  ['careful', ''],
  ['careful', 'patch'],
  ['careful', 'focus'],
  ['careful', 'patch,focus'],
];

const acts = {
  say: 6, begin: 4, append: 16, replace: 3, end: 3, pin: 2, unpin: 2, react: 4, remove: 1, type: 3, cut: 8, connect: 8, look: 3, wait: 6,
} as const; // prettier-ignore

const WORDS = ['alpha ', 'Grüße, ', '😀 ', '\n', '- item\n', '漢字 ', '**b** ', '\n\n'];

/**
 * Clients written from the interface alone follow a group in which people and a bot act at random, while their connections
 * break. Returns what they do not know at the end, which must be nothing; the choices follow from the seed.
 */
export async function plainStorm(seed: number, steps: number): Promise<string[]> {
  const random = new Random(seed);
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const { ann, ben } = await world.people('ann', 'ben');
  const people = [ann, ben];
  const watchers: Actor[] = [];
  for (const at of clients.keys()) watchers.push(await world.person(`watcher${at}`));
  const { id: chat_id } = await world.group(ann, ben, ...watchers);
  const bot = await world.bot(ann);
  await ann.api.addGroupAgent({ chat_id, agent_username: bot.username });
  const plain = clients.map(([reading, caps], at) => {
    const [actor = ann] = watchers.slice(at, at + 1);
    return new PlainClient(actor, { reading, caps, chatId: chat_id });
  });
  const sent: { by: Actor; id: string }[] = [];
  const open: DaemonStream[] = [];
  const words = (): string => Array.from({ length: 1 + random.below(5) }, () => random.pick(WORDS)).join('');
  const end = async (reply: DaemonStream | undefined): Promise<void> => {
    if (!reply) return;
    open.splice(open.indexOf(reply), 1);
    await reply.finish(random.pick(['complete', 'complete', 'failed', 'cancelled']));
  };
  const act = async (): Promise<void> => {
    const who = random.pick(people) ?? ann;
    const client = random.pick(plain);
    const message = random.pick(sent);
    const reply = random.pick(open);
    switch (random.weighted(acts)) {
      case 'say':
        return void sent.push({ by: who, id: (await who.api.sendMessage({ chat_id, text: `m ${words()}` })).id });
      case 'begin':
        if (open.length < 4) open.push(new DaemonStream(bot.api, await bot.api.startMessageStream({ chat_id })));
        return undefined;
      case 'append':
        return reply?.append(words());
      case 'replace':
        return reply?.replace(`changed\n${words()}`);
      case 'end':
        return end(reply);
      case 'pin':
        return void (message && (await ann.api.pinMessage({ chat_id, message_id: message.id })));
      case 'unpin':
        return void (await ann.api.unpinMessage({ chat_id, message_id: random.chance(0.3) ? undefined : message?.id }));
      case 'react':
        return void (message && (await who.api.setMessageReaction({ message_id: message.id, emoji: '👍' })));
      case 'remove':
        if (!message) return undefined;
        sent.splice(sent.indexOf(message), 1);
        return void (await message.by.api.deleteMessages({ message_ids: [message.id] }));
      case 'type':
        return who.api.sendChatAction({ chat_id, action: random.pick(['typing', 'cancel']) ?? 'typing' });
      case 'cut':
        return client?.cut();
      case 'connect':
        return client?.isConnected ? undefined : client?.connect();
      case 'look':
        return client?.look(random.chance(0.5));
      default:
        return clock.advance(random.below(400));
    }
  };
  for (const client of plain) await client.connect();
  for (let step = 0; step < steps; step += 1) {
    await act();
    // Otherwise the next act overtakes what the clients do.
    if (random.chance(0.3)) await world.settle();
  }
  for (const reply of open.slice()) await end(reply);
  for (const client of plain) if (!client.isConnected) await client.connect();
  // Lets typing lapse (TYPING-3).
  await clock.advance(7_000);
  for (let quiet = 0; quiet < 3; quiet += 1) {
    await world.settle();
    for (const client of plain) await client.idle();
  }
  const { items } = await ann.api.getChatHistory({ chat_id, limit: 200 });
  const { pinned_message_ids: pins } = await ann.api.getChat({ chat_id });
  return plain.flatMap((client) => differences(client, items, pins));
}

function differences(client: PlainClient, items: readonly Message[], pins: readonly string[]): string[] {
  const differs = (what: string, known: readonly string[], stored: readonly string[]): string[] =>
    JSON.stringify(known) === JSON.stringify(stored)
      ? []
      : [`a ${client.name} has other ${what}: ${JSON.stringify({ known, stored })}`];
  const shown = ({ id, content, status, sender }: Message): string => `${id} ${sender.username} ${status} ${content}`;
  const isListed = new Set(items.map(({ id }) => id));
  const reactions = [...client.reactions].filter((one) => isListed.has(one.split(' ')[0] ?? ''));
  return [
    ...differs('messages', [...client.messages.values()].map(shown).toSorted(), items.map(shown).toSorted()),
    ...differs('pins', client.pins, pins),
    ...differs('reactions', reactions.toSorted(), items.flatMap(reactionsOf).toSorted()),
    ...differs('people typing', [...client.typing], []),
    ...(client.lost === 0 ? [] : [`a ${client.name} could not apply ${client.lost} ends of replies`]),
  ];
}
