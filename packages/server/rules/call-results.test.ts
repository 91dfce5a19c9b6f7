import { expect, test } from 'vitest';
import { resultOfCall, statusOfCall } from './call-results.ts';
import { callStates } from './call-states.ts';

test('CALL-6: what a model gets of a call that is not done begins with the status that people see', () => {
  expect(resultOfCall('done', 'sunny')).toEqual({ text: 'sunny', isError: false });
  for (const state of callStates.filter((one) => one !== 'done')) {
    const { text, isError } = resultOfCall(state, 'no such place');
    expect(text.startsWith(`${statusOfCall(state)}: `)).toBe(true);
    expect(isError).toBe(true);
  }
});
