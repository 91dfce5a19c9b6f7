import { checkReplay } from '@parley/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Device, type DevicesStage, withDevices } from './devices-stage.ts';

const RUNS = Number(process.env['RUNS'] ?? 3);
/** Long enough for all pushes, retries and take-backs. */
const ALL_MS = 12_000;

const where = fc.nat({ max: 3 });
const device = fc.nat({ max: 2 });
const back = fc.nat({ max: 6 });
const step = fc.oneof(
  { weight: 10, arbitrary: fc.record({ send: where }) },
  { weight: 2, arbitrary: fc.record({ answer: where }) },
  { weight: 6, arbitrary: fc.record({ read: where, device, back }) },
  { weight: 3, arbitrary: fc.record({ remove: where, back }) },
  { weight: 2, arbitrary: fc.record({ hide: where, device, back }) },
  { weight: 6, arbitrary: fc.record({ ms: fc.constantFrom(0, 100, 600, 1_000, 3_000) }) },
  { weight: 2, arbitrary: fc.record({ toggle: device }) },
  { weight: 2, arbitrary: fc.record({ trouble: device }) },
  { weight: 1, arbitrary: fc.record({ comeBack: fc.constantFrom('restart' as const, 'crash' as const) }) },
  { weight: 1, arbitrary: fc.constant({ check: true as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Said {
  id: string;
  position: number;
  chatId: string;
}

interface Place {
  chat_id: string;
  channel_id?: string;
  thread_root_id?: string;
}

/** Alice and Bob in a direct chat and a group with a channel and a thread; tracks what Bob may see and has read. */
class Play {
  readonly #stage: DevicesStage;
  readonly #devices: readonly Device[];
  readonly #places: readonly Place[];
  /** The existing messages, by place. */
  readonly #said: Said[][];
  readonly #rootPosition: number;
  readonly #read = new Map<string, number>();

  static async begin(stage: DevicesStage): Promise<Play> {
    const { world, alice, bob, chat_id } = stage;
    const { id: group } = await world.group(alice, bob);
    const { id: channel_id } = await alice.api.createChannel({ chat_id: group, title: 'off topic' });
    const root = await alice.api.sendMessage({ chat_id: group, text: 'a root' });
    const places = [{ chat_id }, { chat_id: group }, { chat_id: group, channel_id }];
    return new Play(stage, [...places, { chat_id: group, thread_root_id: root.id }], root.position);
  }

  private constructor(stage: DevicesStage, places: Place[], rootPosition: number) {
    this.#stage = stage;
    this.#devices = [stage.laptop, stage.tablet, stage.phone];
    this.#places = places;
    this.#rootPosition = rootPosition;
    this.#said = places.map(() => []);
  }

  async take(next: Step): Promise<void> {
    const { world, alice, clock, pass, script, apns } = this.#stage;
    if ('send' in next) await this.#send('alice', next.send);
    else if ('answer' in next) await this.#send('laptop', next.answer);
    else if ('read' in next) {
      const said = this.#pick(next.read, next.back);
      if (said) await this.#readOn(next.device, said);
    } else if ('remove' in next) {
      const said = this.#pick(next.remove, next.back);
      if (said) await alice.api.deleteMessages({ message_ids: [said.id] });
      if (said) this.#forget(said);
    } else if ('hide' in next) {
      const said = this.#pick(next.hide, next.back);
      if (said) await this.#hideOn(next.device, said);
    } else if ('ms' in next) {
      await clock.advance(next.ms);
      await world.settle();
    } else if ('toggle' in next) {
      const { device: shows } = this.#device(next.toggle);
      shows.isOnline = !shows.isOnline;
      shows.receive();
    } else if ('trouble' in next) {
      script(this.#device(next.trouble), { status: 503 }, {});
      if (next.trouble === 2) apns.script('phone', { status: 503 });
    } else if ('comeBack' in next) {
      // Pushes of the last second before a crash may be sent again after it, so let that second pass.
      await pass();
      await world[next.comeBack]();
      await pass(6_000);
    } else await this.check();
  }

  /** Expects that devices show only unread messages, and that their badge is the count. */
  async check(): Promise<void> {
    await this.#stage.pass(ALL_MS);
    const badge = await this.#count(this.#stage.laptop);
    for (const { device: shows, deviceName } of this.#devices) {
      shows.isOnline = true;
      shows.receive();
      for (const [chatId, { position }] of shows.shown) {
        expect(position, deviceName).toBeGreaterThan(this.#read.get(chatId) ?? 0);
        const there = this.#said.flat().map((said) => said.position);
        expect([this.#rootPosition, ...there], deviceName).toContain(position);
      }
      expect([deviceName, shows.badge]).toEqual([deviceName, badge]);
    }
  }

  /** Reads each conversation to its end, on this device. */
  async readEverything(on: number): Promise<void> {
    const { items } = await this.#device(on).api.getChats();
    for (const { id: chatId, last_message: last } of items)
      if (last) await this.#readOn(on, { id: last.id, position: last.position, chatId });
  }

  async checkAllRead(): Promise<void> {
    for (const { api, device: shows, deviceName } of this.#devices) {
      const { items } = await api.getChats();
      const counts = items.flatMap(({ unread_count, channels }) => [
        unread_count,
        ...channels.map((channel) => channel.unread_count),
      ]);
      expect(
        counts.every((count) => count === 0),
        `${deviceName}: ${counts.join()}`,
      ).toBe(true);
      expect([deviceName, [...shows.shown.values()], shows.badge]).toEqual([deviceName, [], 0]);
    }
  }

  async #send(who: 'alice' | 'laptop', at: number): Promise<void> {
    const place = this.#places[at];
    if (!place) return;
    const { id, position } = await this.#stage[who].api.sendMessage({ ...place, text: `at ${at}` });
    if (who === 'alice') this.#said[at]?.push({ id, position, chatId: place.chat_id });
  }

  async #readOn(on: number, { id: message_id, position, chatId: chat_id }: Said): Promise<void> {
    const reader = this.#use(on);
    await reader.api.markRead({ chat_id, message_id });
    this.#read.set(chat_id, Math.max(position, this.#read.get(chat_id) ?? 0));
    const count = await this.#count(reader);
    // The device first receives what its push service already had.
    reader.device.receive();
    reader.device.read(chat_id, position, count);
  }

  async #hideOn(on: number, said: Said): Promise<void> {
    const reader = this.#use(on);
    await reader.api.deleteMessagesForMe({ message_ids: [said.id] });
    for (const { hidden } of this.#devices) hidden.add(said.id);
    this.#forget(said);
    const count = await this.#count(reader);
    reader.device.receive();
    const shown = reader.device.shown.get(said.chatId);
    reader.device.read(said.chatId, shown?.position === said.position ? said.position : 0, count);
  }

  /** Using a device brings it online. */
  #use(on: number): Device {
    const used = this.#device(on);
    used.device.isOnline = true;
    used.device.receive();
    return used;
  }

  #device(at: number): Device {
    return this.#devices[at] ?? this.#stage.laptop;
  }

  async #count({ api }: Device): Promise<number> {
    const { items } = await api.getChats();
    return items.reduce((sum, { unread_count }) => sum + unread_count, 0);
  }

  #pick(at: number, fromEnd: number): Said | undefined {
    return this.#said[at]?.at(-1 - fromEnd);
  }

  #forget(gone: Said): void {
    for (const [at, said] of this.#said.entries()) this.#said[at] = said.filter(({ id }) => id !== gone.id);
  }
}

test('READ-1: after any sends, deletions, hides and reads, an account that has read everything has no unread count, notification or badge', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), device, (steps, last) =>
      withDevices(async (stage) => {
        const play = await Play.begin(stage);
        for (const next of steps) await play.take(next);
        await play.check();
        await checkReplay(stage.world, [stage.laptop, stage.phone], () => play.readEverything(last));
        await stage.pass(ALL_MS);
        await play.checkAllRead();
      }),
    ),
    {
      numRuns: RUNS,
      endOnFailure: true,
      ...(process.env['SEED'] !== undefined && { seed: Number(process.env['SEED']) }),
    },
  );
}, 600_000);
