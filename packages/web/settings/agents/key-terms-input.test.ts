import { describe, expect, it } from 'vitest';
import { tokensIn, modelsIn } from './key-terms-input.ts';

describe('the list of models that others may choose', () => {
  it('contains each non-empty line once', () => {
    expect(modelsIn(' one\n\ntwo \none\n')).toEqual(['one', 'two']);
    expect(modelsIn('')).toEqual([]);
  });
});

describe('the daily token limit', () => {
  it('accepts a whole number, with or without separators', () => {
    expect(['200000', '200,000', '200 000', '0'].map(tokensIn)).toEqual([200_000, 200_000, 200_000, 0]);
  });

  it('is null, the default, if nothing is typed', () => {
    expect(tokensIn(' ')).toBeNull();
  });

  it('is undefined for any other text', () => {
    expect(['-1', 'many', '1e6'].map(tokensIn)).toEqual([undefined, undefined, undefined]);
  });
});
