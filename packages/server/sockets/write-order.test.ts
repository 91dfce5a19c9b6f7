import { expect, test } from 'vitest';
import { WriteOrder } from './write-order.ts';

/** A write whose effect the test brings about, and what was noted until then. */
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

test('SOCKET-4: what acts at once waits for the effect of the writes before it, and what comes later for it', async () => {
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

test('SOCKET-4: it waits also for one that is still prepared, and a write that fails holds nobody up', async () => {
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

test('SOCKET-4, CLUSTER-4: what is done on another node holds up what comes later until it is done there', async () => {
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

test('SOCKET-4: one that is refused while it is prepared lets nothing pass what came before it', async () => {
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
