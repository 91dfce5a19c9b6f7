import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { MessageWriter } from './postgres-messages.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

test('a writer keeps no memory of the large messages that it has encoded', async () => {
  const writer = new MessageWriter();
  const memory = (): number => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };
  const before = memory();
  for (let round = 0; round < 3; round += 1) {
    writer.execute(Buffer.from('s\0'), ['x'.repeat(20_000_000)]);
    expect(writer.end().length).toBeGreaterThan(20_000_000);
  }
  await expect.poll(() => memory() - before).toBeLessThan(1_000_000);
  // The next message is not affected.
  writer.execute(Buffer.from('s\0'), ['y']);
  expect(writer.end().toString()).toBe(encoded('y'));
});

const encoded = (value: string): string => {
  const writer = new MessageWriter();
  writer.execute(Buffer.from('s\0'), [value]);
  return writer.end().toString();
};
