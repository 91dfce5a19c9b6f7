import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fairTurns, type PlacedTurn } from './fair-turns.ts';

let keys = 0;
const turns = (human_key: number, count: number, agent_key = 1): PlacedTurn[] =>
  Array.from({ length: count }, () => ({ key: (keys += 1), agent_key, human_key }));
const humans = (begun: readonly PlacedTurn[]): number[] => begun.map(({ human_key }) => human_key);

test('TURN-18: free places go to the human with the fewest running turns, among equals in the given order', () => {
  const waiting = [...turns(7, 5), ...turns(8, 5), ...turns(9, 1)];
  const places = { free: 6, perQueue: 4, ofHumans: new Map() };
  expect(humans(fairTurns(waiting, [], places))).toEqual([7, 8, 9, 7, 8, 7]);
  expect(humans(fairTurns(waiting, turns(7, 2), { ...places, ofHumans: new Map([[7, 2]]) }))).toEqual([
    8, 9, 8, 7, 8, 7,
  ]);
});

test('TURN-11, TURN-18: a full turn queue gives way to the human’s other agents, and to others', () => {
  const waiting = [...turns(7, 9), ...turns(7, 2, 2), ...turns(8, 1)];
  expect(
    fairTurns(waiting, turns(7, 4), { free: 9, perQueue: 4, ofHumans: new Map([[7, 4]]) }).map(
      ({ agent_key, human_key }) => [agent_key, human_key],
    ),
  ).toEqual([
    [1, 8],
    [2, 7],
    [2, 7],
  ]);
});

test('TURN-18: no place stays free while a turn may begin, nobody gets two more than another who waits, and each keeps the order', () => {
  const waitingTurn = fc.record({ human: fc.integer({ min: 1, max: 5 }), agent: fc.integer({ min: 1, max: 3 }) });
  fc.assert(
    fc.property(fc.array(waitingTurn, { maxLength: 40 }), fc.nat(12), (given, free) => {
      const waiting = given.map(({ human, agent }, key) => ({ key, agent_key: agent, human_key: human }));
      const begun = fairTurns(waiting, [], { free, perQueue: 4, ofHumans: new Map() });
      expect(new Set(begun).size).toBe(begun.length);
      const open = waiting.filter(
        (turn) =>
          !begun.includes(turn) &&
          begun.filter((one) => one.agent_key === turn.agent_key && one.human_key === turn.human_key).length < 4,
      );
      expect(begun.length === free || open.length === 0).toBe(true);
      const count = (human: number): number => begun.filter(({ human_key }) => human_key === human).length;
      for (const { human_key } of open)
        for (const other of humans(begun)) expect(count(other)).toBeLessThanOrEqual(count(human_key) + 1);
      for (const { agent_key, human_key } of begun) {
        const keysOf = begun
          .filter((one) => one.agent_key === agent_key && one.human_key === human_key)
          .map(({ key }) => key);
        expect(keysOf).toEqual(keysOf.toSorted((one, other) => one - other));
      }
    }),
  );
});
