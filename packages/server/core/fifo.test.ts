import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fifo } from './fifo.ts';

test('a queue returns its items in the order in which they were pushed', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat())), (steps) => {
      const queue = new Fifo<number>();
      const expected: number[] = [];
      for (const item of steps) {
        if (item === null) {
          queue.drop();
          expected.shift();
        } else {
          queue.push(item);
          expected.push(item);
        }
        expect(queue.first).toBe(expected[0]);
      }
    }),
  );
});
