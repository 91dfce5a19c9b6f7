import { faults } from '@parley/server/store/references.ts';
import type { Actor, ManualClock, World } from '@parley/testing';

/** When messages are scheduled: not much later, because the service ticks each second until then. */
export const LATER_MS = 60_000;

/** Two people of a group in which they schedule, and a stranger. */
export async function scene(world: World, clock: ManualClock) {
  const { alice, bob, stranger } = await world.people('alice', 'bob', 'stranger');
  const chat = await world.group(alice, bob);
  const chat_id = chat.id;
  const at = (ms: number) => new Date(clock.now() + ms).toISOString();
  const schedule = (text: string, ms: number, more: object = {}) =>
    alice.api.scheduleMessage({ chat_id, text, send_at: at(ms), ...more });
  /** Lets the time pass, and everything that is due be sent. */
  const pass = async (ms: number) => {
    await clock.advance(ms);
    for (let tick = 0; tick < 3; tick += 1) {
      await clock.advance(1_000);
      await world.settle();
    }
  };
  return { alice, bob, stranger, chat, chat_id, at, schedule, pass };
}

export const textsIn = async (actor: Actor, chat_id: string) =>
  (await actor.api.getChatHistory({ chat_id })).items.map(({ content }) => content);

/** What the service's own check of its store finds. */
export const faultsIn = (world: World): Promise<string[]> =>
  world.withSql(async (sql) => {
    const found: string[] = [];
    for (const [what, count] of Object.entries(faults)) if (Number((await sql.get(count))?.count) > 0) found.push(what);
    return found;
  });
