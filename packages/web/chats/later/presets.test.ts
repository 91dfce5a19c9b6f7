import { expect, test } from 'vitest';
import { localInput, presets } from './presets.ts';

const shown = (now: Date) => presets(now).map(({ label, at }) => `${label}: ${localInput(at)}`);

test('the times are in an hour, tomorrow morning and Monday morning, in the zone of the device', () => {
  // A Wednesday.
  expect(shown(new Date(2026, 10, 25, 22, 30))).toEqual([
    'In 1 hour: 2026-11-25T23:30',
    'Tomorrow morning: 2026-11-26T09:00',
    'Monday morning: 2026-11-30T09:00',
  ]);
});

test('Monday is offered once: on a Sunday it is tomorrow, on a Monday it is a week away', () => {
  expect(shown(new Date(2026, 10, 29, 8, 0)).slice(1)).toEqual(['Tomorrow morning: 2026-11-30T09:00']);
  expect(shown(new Date(2026, 10, 30, 8, 0)).at(-1)).toBe('Monday morning: 2026-12-07T09:00');
});
