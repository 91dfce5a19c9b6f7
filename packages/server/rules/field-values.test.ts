import { limits } from '@parley/protocol';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Field, field, isBlank, problemOf } from './field-values.ts';
import { fieldsOfOwnServer, providerFields } from './provider-fields.ts';

const fieldOf = (type: Field['type'], more?: Partial<Field>): Field => field('field', 'Field', type, more);

const integer = { bounds: { min: 1, max: 10, isInteger: true } };
const options = { options: ['one', 'two words', ''] };

describe('BOTCONF-3: values are checked against their field', () => {
  const table: [field: Field, fitting: string[], others: string[]][] = [
    [fieldOf('string'), ['a', ' kept ', 'a\nb', '🦜'.repeat(1024)], ['x'.repeat(4097), '🦜'.repeat(1025), 'a\0b']],
    [fieldOf('text'), ['a', 'x'.repeat(32 * 1024)], ['x'.repeat(32 * 1024 + 1), '\0']],
    [fieldOf('boolean'), ['true', 'false'], ['True', '1', 'yes', ' true', 'perhaps']],
    [fieldOf('select', options), ['one', 'two words'], ['two', 'One', 'three', ' one']],
    [fieldOf('select'), [], ['one']],
    [
      fieldOf('number'),
      ['0', '-1.5', '+2', '.5', '5.', '1e3', '1E-3', '5.e+2', '-0', '9007199254740991', `${'0'.repeat(63)}1`],
      [
        'many',
        '',
        ' 1',
        '1 ',
        '0x10',
        '1_000',
        '1,5',
        'NaN',
        'Infinity',
        '-Infinity',
        '1e999',
        '1e99',
        '٣',
        '--1',
        '.',
        '1.2.3',
        '1e',
        '1e1000',
        `${'0'.repeat(64)}1`,
        `${'1'.repeat(4_095)}x`,
      ],
    ],
    [fieldOf('number', integer), ['1', '10', '1e1', '2.0'], ['0', '11', '1.5', '-1']],
  ];
  test.each(table)('$type', (field, fitting, others) => {
    for (const value of fitting) expect(problemOf(field, value), value.slice(0, 20)).toBeUndefined();
    for (const value of others) expect(problemOf(field, value), value.slice(0, 20)).toEqual(expect.any(String));
  });
});

test('BOTCONF-3: the description of a problem does not quote the value', () => {
  const word = fc.string({ unit: fc.constantFrom('Q', 'Z', '7', '\0'), minLength: 3, maxLength: 40 });
  const fields = (['string', 'text', 'number', 'boolean', 'select'] as const).map((type) => fieldOf(type, options));
  fc.assert(
    fc.property(word, fc.constantFrom(...fields), (value, field) => {
      expect(problemOf(field, value)?.includes(value) ?? false).toBe(false);
    }),
  );
});

test('BOTCONF-4: white space alone is a blank value', () => {
  for (const value of ['', ' ', '\n\t', '\u00a0']) expect(isBlank(value)).toBe(true);
  for (const value of ['0', ' a ', 'false']) expect(isBlank(value)).toBe(false);
});

describe("BOTCONF-2: a provider's agent", () => {
  const fieldsOf = (provider: 'provider_a' | 'provider_b', baseUrl = 'https://models.example/v1') => {
    const { config, secret, template } = providerFields(provider, { model: 'some-model', baseUrl });
    const field = (key: string) => {
      const found = [...config, ...secret].find((candidate) => candidate.key === key);
      if (!found) throw new Error(`there is no field ${key}`);
      return found;
    };
    return { config, secret, template, field };
  };

  test.each(['provider_a', 'provider_b'] as const)('%s has its fields', (provider) => {
    const { config, secret, template, field } = fieldsOf(provider);
    expect(config.map(({ key, type }) => [key, type])).toEqual([
      ['model', 'string'],
      ['system_prompt', 'text'],
      ['temperature', 'number'],
      ['max_output_tokens', 'number'],
      ['thinking', 'select'],
      ...(provider === 'provider_a' ? [['web_search', 'boolean']] : []),
    ]);
    expect(secret.map(({ key }) => key)).toEqual(['api_key']);
    expect(template).toBeNull();
    expect(field('model').default).toBe('some-model');
    expect(problemOf(field('api_key'), 'k'.repeat(limits.settingBytes))).toBeUndefined();
    for (const value of ['0', '0.25', '1']) expect(problemOf(field('temperature'), value)).toBeUndefined();
    for (const value of ['-0.1', '2.1', 'hot']) expect(problemOf(field('temperature'), value)).toBeDefined();
    for (const value of ['1', '321', '200000']) expect(problemOf(field('max_output_tokens'), value)).toBeUndefined();
    for (const value of ['0', '1.5', '1000001']) expect(problemOf(field('max_output_tokens'), value)).toBeDefined();
  });

  test('PROVIDER-36: provider_b searches the web on OpenAI’s server alone, and no server of the agent’s own does', () => {
    const keys = (fields: { config: readonly { key: string }[] }) => fields.config.map(({ key }) => key);
    const openai = providerFields('provider_b', { model: 'm', baseUrl: 'https://api.openai.com/v1' });
    expect(keys(openai)).toContain('web_search');
    expect(keys(fieldsOfOwnServer(openai))).not.toContain('web_search');
    for (const baseUrl of [
      'http://127.0.0.1:11434/v1',
      'https://api.openai.com.example/v1',
      'http://api.openai.com/v1',
    ])
      expect(keys(providerFields('provider_b', { model: 'm', baseUrl }))).not.toContain('web_search');
  });

  test('the temperature is limited as the vendor limits it', () => {
    expect(problemOf(fieldsOf('provider_a').field('temperature'), '1.5')).toBe('must be from 0 to 1');
    expect(problemOf(fieldsOf('provider_b').field('temperature'), '1.5')).toBeUndefined();
  });
});
