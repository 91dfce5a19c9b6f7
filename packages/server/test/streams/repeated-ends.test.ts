import { createWorld, type World } from '@parley/testing';
import { expect, test } from 'vitest';
import { unavailable } from '../../core/errors.ts';
import { closed, scene } from '../helpers/stream-stage.ts';

/** Holds the ends of this reply back until `goOn`; `come` makes a call and resolves when it has reached the reply. */
function hold(world: World, id: string) {
  const owner = world.services.find(({ streams }) => streams.find(id));
  if (!owner) throw new Error('the reply is open nowhere');
  const { streams, units } = owner;
  const [find, run] = [streams.find.bind(streams), units.run.bind(units)];
  const held = Promise.withResolvers<void>();
  let [looks, ends] = [0, 0];
  streams.find = (wanted) => {
    looks += 1;
    return find(wanted);
  };
  units.run = async (...call) => {
    if (call[0] !== 'closeStream') return run(...call);
    ends += 1;
    await held.promise;
    return run(...call);
  };
  const come = async <Answer>(call: () => Promise<Answer>): Promise<() => Promise<Answer>> => {
    const before = looks;
    const answer = call();
    answer.catch(() => {});
    await expect.poll(() => looks).toBeGreaterThan(before);
    return () => answer;
  };
  const goOn = (error?: Error): void => {
    units.run = run;
    if (error) held.reject(error);
    else held.resolve();
  };
  return { come, goOn, ends: () => ends };
}

test('STREAM-21: a call that ends a stream whose end is being stored is 409 once that end is stored', async () => {
  await using world = await createWorld();
  const { alice, bot, reply } = await scene(world);
  const end = { message_id: reply.id, text: 'the end' };
  const { come, goOn, ends } = hold(world, reply.id);
  const daemon = await bot.socket();
  const first = await come(() => bot.api.finishMessageStream(end));
  const repeats = [
    await come(() => bot.api.finishMessageStream(end)),
    await come(() => daemon.rpc('streams.finish', { ...end, status: 'failed' })),
  ];
  const foreign = await come(() => alice.api.finishMessageStream(end));
  await expect(foreign()).rejects.toMatchObject({ status: 403 });
  expect(ends()).toBe(1);
  goOn();
  expect(await first()).toMatchObject({ content: 'the end', status: 'complete' });
  for (const repeat of repeats) await expect(repeat()).rejects.toMatchObject(closed);
  await expect(bot.api.finishMessageStream(end)).rejects.toMatchObject(closed);
});

test('STREAM-21: if an end cannot be stored, the end that a later call asks for is stored', async () => {
  await using world = await createWorld();
  const { bot, reply } = await scene(world);
  const end = { message_id: reply.id, text: 'the end' };
  const { come, goOn } = hold(world, reply.id);
  const first = await come(() => bot.api.finishMessageStream(end));
  const others = [
    await come(() => bot.api.finishMessageStream({ ...end, text: 'another end' })),
    await come(() => bot.api.finishMessageStream(end)),
  ];
  goOn(unavailable('not now'));
  await expect(first()).rejects.toMatchObject({ status: 503 });
  const answers = await Promise.allSettled(others.map((other) => other()));
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({ reason: closed });
});

test('STREAM-18, STREAM-6: after an end that could not be stored the reply accepts appends again, and its deltas together are its text', async () => {
  await using world = await createWorld();
  const { bob, bot, reply } = await scene(world);
  const socket = await bob.socket();
  await reply.append('before');
  const { come, goOn } = hold(world, reply.id);
  const end = await come(() => bot.api.finishMessageStream({ message_id: reply.id }));
  await expect(reply.append(' during')).rejects.toMatchObject(closed);
  goOn(unavailable('not now'));
  await expect(end()).rejects.toMatchObject({ status: 503 });
  await reply.append(' after');
  expect(await reply.finish()).toMatchObject({ content: 'before after', status: 'complete' });
  await socket.event('messageComplete', ({ id }) => id === reply.id);
  const deltas = socket.all('messageDelta').filter(({ id }) => id === reply.id);
  expect(deltas.map(({ delta }) => delta).join('')).toBe('before after');
});
