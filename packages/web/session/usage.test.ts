import { describe, expect, it } from 'vitest';
import { guestTokens, usageOf } from './usage.ts';

const item = (agent: string, input_tokens: number, output_tokens: number) => ({
  agent,
  username: 'ann',
  conversation_id: '00000000-0000-4000-8000-000000000000',
  input_tokens,
  output_tokens,
  owner_key_tokens: input_tokens + output_tokens,
  replies: 1,
  prices: [{ currency: 'USD', micros: input_tokens }],
});

describe('the usage of an agent', () => {
  it('sums up its own items and sorts them by size', () => {
    const usage = usageOf('ann:a', [item('ann:a', 10, 1), item('ann:b', 500, 500), item('ann:a', 100, 20)]);
    expect(usage).toMatchObject({ input: 110, output: 21, replies: 2, prices: [{ currency: 'USD', micros: 110 }] });
    expect(usage.items.map(({ input_tokens }) => input_tokens)).toEqual([100, 10]);
  });

  it('includes what others used on the owner’s key', () => {
    const others = { ...item('ann:a', 10, 1), username: 'bob', owner_key_tokens: 5 };
    expect(guestTokens(usageOf('ann:a', [item('ann:a', 100, 20), others, others]), 'ann')).toBe(10);
  });

  it('is zero for an agent that has not answered anyone', () => {
    expect(usageOf('ann:a', [])).toEqual({ input: 0, output: 0, replies: 0, prices: [], items: [] });
  });
});
