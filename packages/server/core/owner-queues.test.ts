import { expect, test } from 'vitest';
import { OwnerQueues } from './owner-queues.ts';

test('ACCT-11: an owner’s work runs in order, also after a failure, and does not delay another owner’s', async () => {
  const lines = new OwnerQueues();
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  const run = (owner: number, name: string, until: Promise<void>) =>
    lines.run(owner, async () => {
      begun.push(name);
      await until;
    });
  const failed = run(1, 'first', gate.promise);
  const second = run(1, 'second', Promise.resolve());
  await run(2, 'of another', Promise.resolve());
  expect(begun).toEqual(['first', 'of another']);
  gate.reject(new Error('failed'));
  await expect(failed).rejects.toThrow('failed');
  await second;
  expect(begun).toEqual(['first', 'of another', 'second']);
});

test('ACCT-11: an owner may queue at most 200 pieces of work, and more once those have ended', async () => {
  const lines = new OwnerQueues();
  const gate = Promise.withResolvers<void>();
  const all = Array.from({ length: 200 }, () => lines.run(1, () => gate.promise));
  await expect(lines.run(1, () => gate.promise)).rejects.toMatchObject({ code: 'unavailable' });
  gate.resolve();
  await Promise.all(all);
  await lines.run(1, async () => {});
});
