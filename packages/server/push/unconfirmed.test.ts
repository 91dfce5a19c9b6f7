import { expect, test } from 'vitest';
import { Unconfirmed } from './unconfirmed.ts';

const message = (messageKey: number) => ({ messageKey, chatKey: 1, senderKey: 9, isLate: false });
const [one, two] = [message(1), message(2)];

test.each([
  ['a clean close', { isClean: true, heardAt: 10, others: false }, []],
  ['a sign of life after them', { isClean: false, heardAt: 11, others: false }, []],
  ['silence since before them', { isClean: false, heardAt: 10, others: false }, [one, two]],
  ['silence, with another socket', { isClean: false, heardAt: 10, others: true }, []],
])('PUSH-9: after %s', (_title, gone, lost) => {
  const unconfirmed = new Unconfirmed();
  unconfirmed.note(5, 10, [one]);
  unconfirmed.note(5, 10, [two]);
  expect(unconfirmed.socketGone(5, gone)).toEqual(lost);
  expect(unconfirmed.socketGone(6, gone)).toEqual([]);
});

test('PUSH-9: messages sent before a sign of life are confirmed, those sent after it are not', () => {
  const unconfirmed = new Unconfirmed();
  unconfirmed.note(5, 10, [one]);
  unconfirmed.note(5, 20, [two]);
  expect(unconfirmed.socketGone(5, { isClean: false, heardAt: 20, others: false })).toEqual([two]);
});

test('PUSH-9: messages are lost only when the last socket is dead; a clean close of one confirms them all', () => {
  const unconfirmed = new Unconfirmed();
  unconfirmed.note(5, 10, [one]);
  expect(unconfirmed.socketGone(5, { isClean: false, heardAt: 10, others: true })).toEqual([]);
  expect(unconfirmed.socketGone(5, { isClean: false, heardAt: 9, others: false })).toEqual([one]);
  unconfirmed.note(5, 10, [one]);
  expect(unconfirmed.socketGone(5, { isClean: true, heardAt: 10, others: true })).toEqual([]);
  expect(unconfirmed.socketGone(5, { isClean: false, heardAt: 10, others: false })).toEqual([]);
});

test('PUSH-9: of the messages sent to a silent socket the newest 50 are kept', () => {
  const unconfirmed = new Unconfirmed();
  for (let key = 1; key <= 1_000; key += 1) unconfirmed.note(5, 10, [message(key)]);
  const lost = unconfirmed.socketGone(5, { isClean: false, heardAt: 10, others: false });
  expect(lost.map(({ messageKey }) => messageKey)).toEqual(Array.from({ length: 50 }, (_, at) => 951 + at));
});

test('CLUSTER-23, PUSH-9: if signs of life arrive with a delay, only one from after the sending confirms a message', () => {
  let now = 20;
  const unconfirmed = new Unconfirmed(() => now);
  const gone = (heardAt: number) => unconfirmed.socketGone(5, { isClean: false, heardAt, others: false });
  unconfirmed.note(5, 10, [one]);
  expect(gone(20)).toEqual([one]);
  unconfirmed.note(5, 10, [one]);
  now = 30;
  unconfirmed.note(5, 15, [two]);
  expect(gone(21)).toEqual([two]);
  unconfirmed.note(5, 10, [one]);
  expect(gone(31)).toEqual([]);
  for (let key = 1; key <= 1_000; key += 1) {
    now += key % 3;
    unconfirmed.note(5, 10, [message(key)]);
  }
  expect(gone(10).map(({ messageKey }) => messageKey)).toEqual(Array.from({ length: 50 }, (_, at) => 951 + at));
});
