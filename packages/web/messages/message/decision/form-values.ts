import type { FieldSpec, FormValues } from '@parley/protocol';
import { isBlank, type ShownField, type Values } from '../../../config/fields.ts';

/** What the form has at first: the defaults of its fields. */
export const startOf = (form: readonly FieldSpec[]): Values =>
  Object.fromEntries(form.flatMap(({ key, default: preset }) => (preset === undefined ? [] : [[key, preset]])));

/** The fields as the form shows them: their defaults are typed in already, so that what is shown is what is sent. */
export const shownFields = (form: readonly FieldSpec[]): ShownField[] =>
  form.map((field) => ({ ...field, default: undefined }));

/** What was typed, in the JSON types of its fields, without blank ones (DECIDE-6). */
export const valuesOf = (form: readonly FieldSpec[], typed: Values): FormValues =>
  Object.fromEntries(
    form.flatMap(({ key, type }) => {
      const value = typed[key];
      if (value === undefined || isBlank(value)) return [];
      return [[key, type === 'number' ? Number(value) : type === 'boolean' ? value === 'true' : value]];
    }),
  );
