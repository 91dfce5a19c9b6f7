import { HeldReads } from '@parley/testing/stores/slow-reads.ts';
import { expect, test } from 'vitest';
import { idBytes } from '../core/ids.ts';
import { buryMessage, insertMessage, updateMessage } from '../store/messages.ts';
import { PushStore } from '../test/notifications/push-store.ts';
import { PushTexts } from './content.ts';

const id = '0190a6d0-0000-7000-8000-000000000001';
const record = (content: string): string => JSON.stringify({ id, content, attachments: [] });

function stage() {
  const store = new PushStore();
  const held = new HeldReads();
  store.account(1);
  store.sql.run(insertMessage, idBytes(id), 1, 0, 0, 1, 'complete', 0, 0, null, null, record('as it was'));
  const texts = new PushTexts(held.wrap(store.sql));
  return { store, texts, reading: held.hold('m.record'), [Symbol.dispose]: () => store[Symbol.dispose]() };
}

test('PUSH-2: a message edited while its text is read is pushed with the new text', async () => {
  using scene = stage();
  const { store, texts, reading } = scene;
  const [one, other] = [texts.of(1, 0), texts.of(1, 0)];
  await reading.asked;
  store.sql.run(updateMessage, 1, 'complete', record('as it is'));
  texts.forget(1);
  reading.release();
  expect([(await one)?.text, (await other)?.text]).toEqual(['as it is', 'as it is']);
  expect((await texts.of(1, 0))?.text).toBe('as it is');
});

test('PUSH-7: a message that is deleted while its text is read is not pushed', async () => {
  using scene = stage();
  const { store, texts, reading } = scene;
  const pushed = texts.of(1, 0);
  await reading.asked;
  store.sql.run(buryMessage, 1, 'complete', record(''), 1);
  reading.release();
  expect(await pushed).toBeNull();
});
