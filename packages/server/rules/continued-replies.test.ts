import { limits } from '@parley/protocol';
import { expect, test } from 'vitest';
import { endOfContinued, entriesToContinue, isContinued, isUntouched, whyNotContinued } from './continued-replies.ts';

const cutOff = { status: 'complete', finish_reason: 'length', content: 'Half' };

test.each([
  [{}, null],
  [{ finish_reason: undefined }, /not cut off/],
  [{ finish_reason: 'other' }, /not cut off/],
  [{ status: 'failed' }, /not cut off/],
  [{ status: 'cancelled', finish_reason: 'stopped' }, /not cut off/],
  [{ content: '' }, /no text/],
  [{ content: 'x'.repeat(limits.agentTextBytes - 4_096) }, null],
  [{ content: 'x'.repeat(limits.agentTextBytes - 4_095) }, /most text/],
  [{ content: 'é'.repeat(limits.agentTextBytes / 2) }, /most text/],
])('CONTINUE-2: a reply of %j can be continued, or not because of %s', (ended, obstacle) => {
  const found = whyNotContinued({ ...cutOff, ...ended });
  if (obstacle) expect(found).toMatch(obstacle);
  else expect(found).toBeNull();
});

test('CONTINUE-5: a continued reply that is stopped or fails is cut off as before', () => {
  expect(endOfContinued({ status: 'complete' })).toEqual({ status: 'complete', finishReason: undefined });
  for (const end of [
    { status: 'failed', finishReason: 'overloaded' },
    { status: 'cancelled', finishReason: 'stopped' },
    { status: 'complete', finishReason: 'length' },
  ] as const)
    expect(endOfContinued(end)).toEqual({ status: 'complete', finishReason: 'length' });
});

test('CONTINUE-5: a turn that wrote neither text nor parts has left its reply as it was', () => {
  const parts = [{ id: 'n', offset: 0, type: 'notice', text: 'x' }] as const;
  expect(isUntouched({ content: '' }, { text: '' })).toBe(true);
  expect(isUntouched({ content: 'a', parts }, { text: 'a', parts })).toBe(true);
  expect(isUntouched({ content: 'a' }, { text: 'ab' })).toBe(false);
  expect(isUntouched({ content: 'a' }, { text: 'a', parts })).toBe(false);
  expect([isContinued({ content: '' }), isContinued({ content: 'a' })]).toEqual([false, true]);
});

test('CONTINUE-6: the model gets its own text and an instruction; of a long text the end, without half a character', () => {
  const instruction = { role: 'user', text: expect.stringContaining('Continue it exactly where it ends') };
  expect(entriesToContinue('Half a ')).toEqual([{ role: 'assistant', text: 'Half a ' }, instruction]);
  const end = 'y'.repeat(31_999);
  expect(entriesToContinue(`x🙂${end}`)).toEqual([{ role: 'assistant', text: `…${end}` }, instruction]);
  expect(entriesToContinue(`🙂x${end}`)).toEqual([{ role: 'assistant', text: `…x${end}` }, instruction]);
  // The text is measured in bytes, which cost tokens, not in characters.
  const [own] = entriesToContinue('語'.repeat(20_000));
  expect(own).toEqual({ role: 'assistant', text: `…${'語'.repeat(10_666)}` });
  expect(entriesToContinue(`x${end}`)).toEqual([{ role: 'assistant', text: `x${end}` }, instruction]);
});
