import { runsOf } from '@parley/testing/depth.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Field, isBlank, problemOf } from './field-values.ts';
import { providerFields } from './provider-fields.ts';
import { layerOf, modelSettings, ofFields, resolveValues, type Values } from './run-config.ts';

const fields = providerFields('provider_a', { model: 'default-model', baseUrl: 'https://models.example/v1' }).config;
const resolve = (...layers: Values[]) => resolveValues(fields, layers.map(layerOf));

test.each<[title: string, override: Values, owner: Values, resolved: Values]>([
  ['the default, if no layer has a value', {}, {}, { model: 'default-model' }],
  ["the owner's value", {}, { model: 'o', temperature: '1' }, { model: 'o', temperature: '1' }],
  [
    'the override comes before the owner',
    { model: 'm' },
    { model: 'o', temperature: '1' },
    { model: 'm', temperature: '1' },
  ],
  [
    'an override, if the owner has no value',
    { system_prompt: 'p' },
    {},
    { model: 'default-model', system_prompt: 'p' },
  ],
  ['a blank value counts as none', { model: ' ' }, { model: 'o', system_prompt: '' }, { model: 'o' }],
  ['keys without a field are left out', { other: 'x' }, { toString: 'y' }, { model: 'default-model' }],
])('BOTCONF-10: %s', (_title, override, owner, resolved) => {
  expect(resolve(override, owner)).toEqual(resolved);
});

test.each<[title: string, override: Values, owner: Values, resolved: Values]>([
  [
    'an override that does not fit falls back to the owner',
    { temperature: 'hot' },
    { temperature: '0.5' },
    { model: 'default-model', temperature: '0.5' },
  ],
  ["an owner's value that does not fit, to the default", {}, { model: 'x'.repeat(5_000) }, { model: 'default-model' }],
  [
    'without a default there is no value',
    { max_output_tokens: '0' },
    { max_output_tokens: '1e9' },
    { model: 'default-model' },
  ],
])('BOTCONF-11: %s', (_title, override, owner, resolved) => {
  expect(resolve(override, owner)).toEqual(resolved);
});

test('BOTCONF-11: for any stored values, the result fits its field and comes from the first layer whose value fits', () => {
  const spec: fc.Arbitrary<Field> = fc.record({
    key: fc.constantFrom('a', 'constructor', 'tostring', 'valueof', 'then'),
    label: fc.constant('x'),
    type: fc.constantFrom('string', 'text', 'number', 'boolean', 'select'),
    description: fc.constant(undefined),
    required: fc.constant(undefined),
    default: fc.option(fc.constantFrom('1', 'true', 'one', '', 'x\0'), { nil: undefined }),
    options: fc.option(fc.constant(['one', '1']), { nil: undefined }),
    placeholder: fc.constant(undefined),
  });
  const value = fc.oneof(fc.constantFrom('1', 'true', 'one', '', ' ', 'NaN'), fc.string());
  const values = fc.dictionary(fc.constantFrom('a', 'constructor', 'tostring', '__proto__', 'toString'), value);
  const distinct = fc.uniqueArray(spec, { selector: ({ key }) => key });
  fc.assert(
    fc.property(distinct, fc.array(values, { maxLength: 3 }), (specs, layers) => {
      const resolved = resolveValues(specs, layers.map(layerOf));
      for (const field of specs) {
        const given = [...layers.map((layer) => layerOf(layer)(field.key)), field.default];
        const expected = given.find(
          (text) => text !== undefined && !isBlank(text) && problemOf(field, text) === undefined,
        );
        expect(Object.hasOwn(resolved, field.key) ? resolved[field.key] : undefined).toBe(expected);
      }
      expect(Object.keys(resolved).length).toBeLessThanOrEqual(specs.length);
    }),
    { numRuns: runsOf(500) },
  );
});

test('BOTCONF-7: values are returned in the order of their fields, and values without a field are left out', () => {
  expect(Object.entries(ofFields(fields, { temperature: '1', gone: 'x', model: 'm' }))).toEqual([
    ['model', 'm'],
    ['temperature', '1'],
  ]);
  expect(ofFields(fields, JSON.parse('{"__proto__":"x"}'))).toEqual({});
});

test('BOTCONF-12: resolved values become the parameters of the provider’s request', () => {
  const config = { model: 'm', system_prompt: 'p', temperature: '0.25', max_output_tokens: '321' };
  expect(modelSettings(config)).toEqual({ model: 'm', system: 'p', temperature: 0.25, maxOutputTokens: 321 });
  expect(modelSettings({})).toEqual({});
});
