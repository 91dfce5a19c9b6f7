import type { Thinking } from '@parley/protocol';
import { type Field, isBlank, problemOf } from './field-values.ts';

export type Values = Readonly<Record<string, string>>;

/** Returns the stored value of a field, or undefined. */
export type Layer = (key: string) => string | undefined;

/** Values as a layer. Only own properties count: a key may be called `constructor`. */
export const layerOf =
  (values: Values): Layer =>
  (key) =>
    Object.hasOwn(values, key) ? values[key] : undefined;

/**
 * The value of each field (BOTCONF-10): from the first layer that has one, otherwise the field's default. A stored
 * value that does not fit its field, because the schema has changed, counts as none, so that no turn fails
 * (BOTCONF-11).
 */
export function resolveValues(fields: readonly Field[], layers: readonly Layer[]): Record<string, string> {
  const resolved: Record<string, string> = {};
  for (const field of fields) {
    const value = firstFit(field, [...layers, () => field.default]);
    if (value !== undefined) resolved[field.key] = value;
  }
  return resolved;
}

function firstFit(field: Field, layers: readonly Layer[]): string | undefined {
  for (const layer of layers) {
    const value = layer(field.key);
    if (value !== undefined && !isBlank(value) && problemOf(field, value) === undefined) return value;
  }
  return undefined;
}

/** The values in the order of their fields, without values that have no field. */
export function ofFields(fields: readonly Field[], values: Values): Record<string, string> {
  const there = fields.filter(({ key }) => Object.hasOwn(values, key));
  return Object.fromEntries(there.map(({ key }) => [key, values[key] ?? '']));
}

/** How much a model thinks before it answers, if it does. */
export type ThinkingEffort = Exclude<Thinking, 'off'>;

export interface ModelSettings {
  model?: string;
  system?: string;
  temperature?: number;
  maxOutputTokens?: number;
  thinking?: ThinkingEffort;
  webSearch?: true;
}

/** The parameters of a provider's request, from the agent's resolved values (BOTCONF-12). */
export function modelSettings(config: Values): ModelSettings {
  const value = layerOf(config);
  const model = value('model');
  const system = value('system_prompt');
  const temperature = value('temperature');
  const maxOutputTokens = value('max_output_tokens');
  const thinking = value('thinking');
  return {
    ...(model !== undefined && { model }),
    ...(system !== undefined && { system }),
    ...(temperature !== undefined && { temperature: Number(temperature) }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens: Number(maxOutputTokens) }),
    // One of the field's options.
    ...(thinking !== undefined && thinking !== 'off' && { thinking: thinking as ThinkingEffort }),
    ...(value('web_search') === 'true' && { webSearch: true }),
  };
}
