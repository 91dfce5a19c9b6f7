import { describe, expect, it } from 'vitest';
import { tokensIn, modelsIn } from './key-terms-input.ts';

describe('the models that others may choose', () => {
  it('are the lines that are not empty, each once', () => {
    expect(modelsIn(' one\n\ntwo \none\n')).toEqual(['one', 'two']);
    expect(modelsIn('')).toEqual([]);
  });
});

describe('the tokens a day', () => {
  it('are a whole number, with or without separators', () => {
    expect(['200000', '200,000', '200 000', '0'].map(tokensIn)).toEqual([200_000, 200_000, 200_000, 0]);
  });

  it('are the default where nothing is written', () => {
    expect(tokensIn(' ')).toBeNull();
  });

  it('are nothing else', () => {
    expect(['-1', 'many', '1e6'].map(tokensIn)).toEqual([undefined, undefined, undefined]);
  });
});
