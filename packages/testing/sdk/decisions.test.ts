import { createClient } from '@parley/client';
import { createStore } from '@parley/client/store';
import { afterEach, expect, test } from 'vitest';
import { turnOfLoop } from '../clocks/turn-of-loop.ts';
import type { Actor } from '../world/actor.ts';
import { createWorld, type World } from '../world/world.ts';
import { assertFresh } from './store-comparison.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

const PATIENCE_MS = 10_000;

/** Polls at every tick, because nothing signals when a store has the expected state. */
async function until(isSo: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    if (performance.now() > giveUpAt) throw new Error(`timed out waiting for ${isSo.toString()}`);
    await turnOfLoop();
  }
}

async function page({ url }: World, actor: Actor) {
  const client = createClient({ url, token: actor.token });
  const store = createStore(client);
  open.push(() => {
    store.close();
    client.close();
  });
  await until(() => client.state === 'live' && store.chats.get().isLoaded);
  return store;
}

test('DECIDE-10: the store of the SDK keeps what needs the person, in its conversations and its inbox', async () => {
  await using world = await createWorld();
  const { ann, ben } = await world.people('ann', 'ben');
  const { id: chat_id } = await world.group(ann, ben);
  const options = [{ id: 'yes', label: 'Yes' }];
  const ask = async (more: object = {}) => (await ann.api.askDecision({ chat_id, text: 'Tea?', options, ...more })).id;
  const early = await ask();
  const store = await page(world, ben);
  const needs = () => store.chat(chat_id).get()?.open_decisions ?? [];
  const watched = store.inbox.subscribe(() => {});
  open.push(watched);
  expect([needs(), store.chat(chat_id).get()?.needs_you]).toEqual([[early], 1]);
  const [later, named, theirs] = [
    await ask(),
    await ask({ deciders: ['ben'], private: true }),
    await ask({ deciders: ['ann'] }),
  ];
  await until(() => store.message(theirs).get() !== undefined);
  await until(() => store.inbox.get().items.length === 3);
  expect([needs(), store.chat(chat_id).get()?.needs_you]).toEqual([[named, later, early], 3]);
  await ann.api.decide({ decision_id: early, option: 'yes' });
  await ann.api.withdrawDecision({ decision_id: named });
  await until(() => needs().length === 1);
  expect(store.message(early).get()?.decision).toMatchObject({ state: 'decided', decided_by: 'ann' });
  await until(() => store.inbox.get().items.length === 1);
  await ann.api.deleteMessages({ message_ids: [later] });
  await until(() => needs().length === 0);
  const admins = await ask({ deciders: 'admins' });
  await until(() => store.message(admins).get() !== undefined);
  expect(needs()).toEqual([]);
  await ann.api.setMemberRole({ chat_id, username: 'ben', role: 'admin' });
  await until(() => needs().length === 1);
  await ben.api.decide({ decision_id: admins, option: 'yes' });
  await until(() => needs().length === 0);
  await world.settle();
  await assertFresh(store, [], ben.api, 'the store of ben');
});
