import { expect, test } from 'vitest';
import { WriteOrder } from './write-order.ts';

/** A write that takes effect when the test says so, and a record of what has happened. */
function steered() {
  const noted: string[] = [];
  const effects = new Map<string, () => void>();
  const write = (name: string) => (): Promise<string> => {
    noted.push(`${name} handed over`);
    return new Promise((resolve) =>
      effects.set(name, () => {
        noted.push(`${name} done`);
        resolve(name);
      }),
    );
  };
  return { noted, write, take: (name: string) => effects.get(name)?.() };
}

const here = (act: () => Promise<void>) => () => ({ done: act(), takesTime: false });

const microtasks = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('SOCKET-4: an immediate action waits until earlier writes have taken effect, and later writes wait for it', async () => {
  const { noted, write, take } = steered();
  const order = new WriteOrder();
  void order.note(write('send')());
  const acted = order.follow(here(async () => void noted.push('typing')));
  const later = order.run(() => undefined, write('later'));
  await microtasks();
  expect(noted).toEqual(['send handed over']);
  take('send');
  await acted;
  await microtasks();
  expect(noted).toEqual(['send handed over', 'send done', 'typing', 'later handed over']);
  take('later');
  expect(await later).toBe('later');
});

test('SOCKET-4: an immediate action also waits for a write in preparation; a failed write blocks nothing', async () => {
  const { noted, write, take } = steered();
  const order = new WriteOrder();
  const prepared = Promise.withResolvers<void>();
  const failing = order.note(Promise.reject(new Error('no')));
  const slow = order.run(
    () => prepared.promise,
    () => order.note(write('slow')()),
  );
  const acted = order.follow(here(async () => void noted.push('typing')));
  await expect(failing).rejects.toThrow('no');
  await microtasks();
  expect(noted).toEqual([]);
  prepared.resolve();
  await microtasks();
  expect(noted).toEqual(['slow handed over']);
  take('slow');
  await Promise.all([slow, acted]);
  expect(noted).toEqual(['slow handed over', 'slow done', 'typing']);
  await order.follow(here(async () => void noted.push('at once')));
  expect(order.pending).toBeNull();
});

test('SOCKET-4, CLUSTER-4: an action on another node delays later writes until it is done there', async () => {
  const { noted, write, take } = steered();
  const order = new WriteOrder();
  const away = (name: string) => () => ({ done: write(name)(), takesTime: true });
  const acted = order.follow(away('finish'));
  const failing = order.follow(() => ({ done: Promise.reject(new Error('no')), takesTime: true }));
  const behind = order.run(() => undefined, write('send'));
  await microtasks();
  expect(noted).toEqual(['finish handed over']);
  take('finish');
  await expect(failing).rejects.toThrow('no');
  await acted;
  await microtasks();
  expect(noted).toEqual(['finish handed over', 'finish done', 'send handed over']);
  take('send');
  expect(await behind).toBe('send');
  expect(order.pending).toBeNull();
});

test('SOCKET-4: a write refused during preparation does not let later writes overtake earlier ones', async () => {
  const { noted, write, take } = steered();
  const order = new WriteOrder();
  const prepared = Promise.withResolvers<void>();
  const slow = order.run(() => prepared.promise, write('slow'));
  const refused = order.run(() => Promise.reject(new Error('refused')), write('refused')).catch(String);
  const later = order.run(() => undefined, write('later'));
  await microtasks();
  expect(noted).toEqual([]);
  prepared.resolve();
  await microtasks();
  expect(noted).toEqual(['slow handed over', 'later handed over']);
  for (const name of ['slow', 'later']) take(name);
  expect(await Promise.all([slow, refused, later])).toEqual(['slow', 'Error: refused', 'later']);
});
