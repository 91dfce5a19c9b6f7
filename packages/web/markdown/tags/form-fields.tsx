import type { Attributes, Block, Inline, Tag } from '@parley/markdown';
import { useId } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { Field, TextField } from '../../ui/forms/field.tsx';
import { attribute, isOn, isRecord, titleOf } from './tag-values.ts';
import styles from './tags.module.css';
import { t } from '../../words/t.ts';

/** No `password`: the whole conversation sees submitted values (WEB-62). */
const types: ReadonlySet<string> = new Set([
  'text',
  'email',
  'number',
  'date',
  'time',
  'datetime-local',
  'tel',
  'url',
  'search',
]);

/** An input of a form. */
export function FieldView({ tag }: { tag: Tag }) {
  const { attributes, name: tagName } = tag;
  const kind = tagName === 'input' ? attribute(attributes, 'type') || 'input' : tagName;
  const name = attribute(attributes, 'name', 'id', 'key', 'primary') || 'value';
  const isRequired = isOn(attributes, 'required');
  const label = `${attribute(attributes, 'label', 'title') || titleOf(name)}${isRequired ? ' *' : ''}`;
  const hint = attribute(attributes, 'hint', 'description', 'help');
  const value = attribute(attributes, 'value', 'default');
  const common = { label, name, required: isRequired, defaultValue: value, ...(hint !== '' && { hint }) };
  const placeholder = attribute(attributes, 'placeholder');
  switch (kind) {
    case 'checkbox':
    case 'boolean':
      return (
        <Checkbox
          name={name}
          label={label}
          hint={hint}
          isChecked={isOn(attributes, 'checked') || value === 'true' || value === 'Yes'}
        />
      );
    case 'select':
      return <Select {...common} options={optionsOf(tag)} placeholder={placeholder} />;
    case 'textarea':
    case 'text_area':
      return <TextField {...common} placeholder={placeholder} maxLength={4000} />;
    case 'option':
      return attribute(attributes, 'label', 'value', 'primary');
    default: {
      const range = Object.fromEntries(
        ['min', 'max', 'step'].map((key) => [key, attribute(attributes, key)]).filter(([, text]) => text !== ''),
      );
      return (
        <Field
          {...common}
          {...range}
          type={types.has(kind) ? kind : 'text'}
          placeholder={placeholder}
          maxLength={1000}
          autoComplete="off"
        />
      );
    }
  }
}

/** Maximum options of a list: more are not chosen from a list. */
const MAX_OPTIONS = 500;

interface Option {
  value: string;
  label: string;
}

interface SelectProps {
  name: string;
  label: string;
  hint?: string;
  required: boolean;
  defaultValue: string;
  placeholder: string;
  options: readonly Option[];
}

function Select({ name, label, hint, required, defaultValue, placeholder, options }: SelectProps) {
  const id = useId();
  return (
    <div className={styles['select']}>
      <label className="ui-label" htmlFor={id}>
        {label}
      </label>
      <select id={id} name={name} required={required} defaultValue={defaultValue}>
        {required && defaultValue !== '' ? null : <option value="">{placeholder || t('Choose')}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {hint === undefined ? null : <p className="ui-small">{hint}</p>}
    </div>
  );
}

function Checkbox({ name, label, hint, isChecked }: { name: string; label: string; hint: string; isChecked: boolean }) {
  return (
    <label className={styles['checkbox']}>
      <input type="checkbox" name={name} defaultChecked={isChecked} />
      <span>
        {label}
        {hint === '' ? null : <span className={classNames(styles['hint'], 'ui-small')}>{hint}</span>}
      </span>
    </label>
  );
}

/** Options from `options=["a", {value: "b", label: "B"}]` or from nested option tags. */
function optionsOf({ attributes, blocks }: Tag): Option[] {
  const listed = Object.hasOwn(attributes, 'options') ? attributes['options'] : undefined;
  const values = Array.isArray(listed)
    ? listed
    : typeof listed === 'string'
      ? listed.split(',').map((one) => one.trim())
      : [];
  const given = [...values, ...blocks.flatMap(tagsIn).map((tag) => tag.attributes)];
  return given.slice(0, MAX_OPTIONS).map((option) => {
    if (!isRecord(option)) return { value: String(option), label: String(option) };
    const value = attribute(option, 'value', 'id', 'name', 'primary', 'label');
    return { value, label: attribute(option, 'label', 'title') || value };
  });
}

const tagsIn = (node: Block | Inline): Tag[] =>
  node.kind === 'tag' ? [node] : node.kind === 'paragraph' ? node.children.flatMap(tagsIn) : [];

/** The submitted values by field name. */
export function fieldsOf(form: HTMLFormElement): Attributes {
  const fields: [string, string | number | boolean][] = [];
  for (const element of form.elements) {
    if (element instanceof HTMLInputElement && element.name !== '') {
      const isNumber = element.type === 'number' && element.value !== '';
      fields.push([
        element.name,
        element.type === 'checkbox' ? element.checked : isNumber ? element.valueAsNumber : element.value,
      ]);
    } else if (
      (element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement) &&
      element.name !== ''
    ) {
      fields.push([element.name, element.value]);
    }
  }
  return Object.fromEntries(fields);
}
