import type { FieldSpec } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { given, problemsOf, wordFor } from './fields.ts';

const field = (key: string, more: Partial<FieldSpec> = {}): FieldSpec => ({
  label: key,
  type: 'string',
  description: undefined,
  required: undefined,
  default: undefined,
  options: undefined,
  placeholder: undefined,
  key,
  ...more,
});

describe('the fields of a form', () => {
  it('report a required value that is blank and has no default or inherited value', () => {
    const fields = [
      field('a', { required: true }),
      field('b', { required: true, default: 'x' }),
      field('c', { required: true }),
    ];
    expect(problemsOf(fields, { a: ' ' }, { c: 'of the owner' })).toEqual({ a: 'Fill this in.' });
  });

  it('accept only numbers in number fields, and blank values', () => {
    const fields = [field('n', { type: 'number' })];
    expect(problemsOf(fields, { n: 'many' })).toEqual({ n: 'Enter a number.' });
    expect(problemsOf(fields, { n: '1e-3' })).toEqual({});
    expect(problemsOf(fields, { n: '' })).toEqual({});
  });

  it('accept only their own options', () => {
    const fields = [field('s', { type: 'select', options: ['buy', 'sell'] })];
    expect(problemsOf(fields, { s: 'hold' })).toEqual({ s: 'Choose an option from the list.' });
    expect(problemsOf(fields, { s: 'buy' })).toEqual({});
  });

  it('send only values that are not blank', () => {
    expect(given({ a: 'x', b: '', c: '  ' })).toEqual({ a: 'x' });
  });

  it('show inherited values in words', () => {
    expect(wordFor(field('b', { type: 'boolean' }), 'true')).toBe('On');
    expect(wordFor(field('t'), 'x'.repeat(90))).toHaveLength(61);
  });
});
