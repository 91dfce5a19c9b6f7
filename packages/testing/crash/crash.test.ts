import type { Message } from '@parley/protocol';
import { expect, test } from 'vitest';
import { Actor } from '../world/actor.ts';
import { CrashDaemon } from './daemon.ts';
import { ContestedDecisions } from './decisions.ts';
import { Scheduler } from './scheduler.ts';
import { Sender } from './sender.ts';
import { ServiceProcess } from './service-process.ts';
import { Tally } from './tally.ts';
import { startFakeProviders } from '../providers/fake-providers.ts';
import { compareAll, type Follower } from '../model/follower.ts';
import { Random } from '../simulation/random.ts';
import { Witness } from '../simulation/witness.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
/** Number of parallel send loops per person. */
const LOOPS = 4;
/** SEED=17 repeats the random choices, but not the timing. */
const SEED = Number(process.env['SEED'] ?? Date.now());

test(
  'STORE-7, SCHEDULE-5, DECIDE-5: killed under load repeatedly, the service loses and duplicates nothing',
  { timeout: 300_000 },
  async () => {
    process.stdout.write(`crash: seed ${SEED}\n`);
    const providers = await startFakeProviders();
    const service = new ServiceProcess(providers.env);
    await service.start();
    const random = new Random(SEED);
    const tally = new Tally();
    const witness = new Witness();
    try {
      // The participants and their load.
      const people = await Promise.all(['alice', 'bob', 'carol'].map((name) => person(service, name)));
      const [alice, bob, carol] = people as [Actor, Actor, Actor]; // three names, three people
      const created = await alice.api.createBot({ slug: 'daemon', display_name: 'Daemon' });
      const bot = new Actor(service, created.bot.username, created.token);
      const agent = 'alice:provider_a';
      await alice.api.setAgentKey({ provider: 'provider_a', api_key: 'key' });
      // Some replies are cut off by the next kill: before their first text, or in the middle.
      let asked = 0;
      let isLast = false;
      providers.script('key', () => {
        asked += 1;
        if (isLast || asked % 4 === 0) return { chunks: ['It ', 'is ', 'so.'] };
        return asked % 4 === 1 ? { unanswered: true } : { chunks: ['It is ', 'half'], ending: 'hang' };
      });
      const { id: chatId } = await alice.api.startChat({ usernames: ['bob', 'carol'], title: 'a group' });
      for (const agent_username of [agent, bot.username])
        await alice.api.addGroupAgent({ chat_id: chatId, agent_username });

      const followers: Follower[] = [];
      for (const actor of [...people, bot])
        for (const caps of ['', 'nodrafts']) {
          const follower = await actor.follower(caps).load();
          follower.onFrame = (frame) => witness.readFrame(follower.whose, frame);
          followers.push(await follower.connect());
        }

      const load = { service, tally, chatId, agent, positions: { highest: 0 } };
      const senders = [
        new Sender({ ...load, actor: alice, over: 'http' }),
        new Sender({ ...load, actor: bob, over: 'http' }),
        new Sender({ ...load, actor: bob, over: 'socket' }),
        new Sender({ ...load, actor: carol, over: 'socket' }),
      ];
      const daemon = new CrashDaemon(service, tally, bot, chatId);
      const scheduler = new Scheduler(service, tally, carol, chatId);
      const decisions = new ContestedDecisions(service, tally, [alice, bob], chatId, 50);
      const loads = [...senders.map((sender) => sender.run(LOOPS)), daemon.run(), scheduler.run(), decisions.run()];

      for (let round = 1; round <= ROUNDS; round += 1) {
        await Promise.race([tally.more(100 + random.below(400)), ...loads]);
        isLast = round === ROUNDS;
        await service.kill();
        for (const { socket } of followers) await socket?.closed;
        witness.restarted();
        await service.start();
        for (const follower of followers) {
          await follower.drop({ losing: random.chance(0.5) });
          await follower.connect();
        }
      }
      await tally.more(100);
      tally.isStopping = true;
      await Promise.all(loads);

      // Every reply ends. Followers do not see queued turns, so first wait until the store has none: a reply that began
      // during the comparison would be in a follower's state, but not in the state that was fetched for it before.
      await expect.poll(() => service.openReplies, { timeout: 60_000 }).toBe(0);
      const open = () => followers.filter((follower) => follower.streaming.length > 0);
      for (let left = open(); left.length > 0; left = open()) for (const follower of left) await follower.ask();
      for (const follower of followers) await follower.ask();
      await compareAll(followers);

      const history = [...((await followers[0]?.fetch())?.chats.get(chatId)?.messages.values() ?? [])];
      const sendings = senders.flatMap((sender) => sender.sendings);
      const byClientId = Map.groupBy(history, ({ client_msg_id }) => client_msg_id);
      for (const { clientMsgId, text, acknowledged } of sendings) {
        const stored = byClientId.get(clientMsgId) ?? [];
        expect(stored.map(({ id, position, content }) => [id, position, content])).toEqual([
          [acknowledged?.id, acknowledged?.position, text],
        ]);
      }
      for (const [id, { text, thoughts }] of daemon.finished) {
        const message = history.find((other) => other.id === id);
        expect(message).toMatchObject({ status: 'complete', content: text, parts: [{ text: thoughts }] });
      }
      expect(scheduler.wrong(history)).toEqual([]);
      expect(await decisions.wrong()).toEqual([]);
      expect(history.filter(isOpen)).toEqual([]);
      expect(witness.problems).toEqual([]);
      const replies = Object.groupBy(
        history.filter(({ sender }) => sender.username === agent),
        ({ status }) => status,
      );
      const counts = Object.entries(replies).map(([status, messages]) => `${messages.length} ${status}`);
      process.stdout.write(
        `crash: ${service.kills} kills, ${tally.acknowledged} acknowledged, ${tally.retries} retries, ` +
          `${sendings.length} messages, ${scheduler.texts.length} scheduled ones, ${daemon.finished.size} daemon replies, ${decisions.outcomes.size} decisions, provider replies ${counts.join(', ')}\n`,
      );
      for (const follower of followers) await follower.drop();
    } finally {
      tally.isStopping = true;
      await service.close();
      await providers.close();
    }
    expect(service.problems).toEqual([]);
  },
);

async function person(service: ServiceProcess, name: string): Promise<Actor> {
  const actor = new Actor(service, name, `dev:${name}`);
  await actor.api.getMe();
  return actor;
}

const isOpen = ({ status }: Message): boolean => status === 'streaming';
