import { Field, SelectField, TextField } from '../ui/forms/field.tsx';
import styles from './fields-form.module.css';
import { isBlank, type ShownField, type Values, wordFor } from './fields.ts';
import { t } from '../words/t.ts';

interface FieldsFormProps {
  fields: readonly ShownField[];
  values: Values;
  onChange: (values: Values) => void;
  /** Values used for blank fields; they take precedence over the fields' defaults. */
  inherited?: Values;
  errorOf: (key: string) => string | null;
}

/** Inputs for the settings that an agent declares. */
export function FieldsForm({ fields, values, onChange, inherited = {}, errorOf }: FieldsFormProps) {
  return (
    <div className={styles['fields']}>
      {fields.map((field) => (
        <OneField
          key={field.key}
          field={field}
          value={values[field.key] ?? ''}
          below={isBlank(inherited[field.key]) ? (field.default ?? '') : (inherited[field.key] ?? '')}
          error={errorOf(field.key)}
          onChange={(value) => onChange({ ...values, [field.key]: value })}
        />
      ))}
    </div>
  );
}

interface OneFieldProps {
  field: ShownField;
  value: string;
  /** The value that applies if this one is blank. */
  below: string;
  error: string | null;
  onChange: (value: string) => void;
}

function OneField({ field, value, below, error, onChange }: OneFieldProps) {
  const { label, type, description, options = [], placeholder, required } = field;
  const isSure = required === true && isBlank(below);
  const common = { label, error, hint: description, value, required: isSure };
  const hintOfBlank = isBlank(below) ? (placeholder ?? '') : wordFor(field, below);
  switch (type) {
    case 'boolean':
    case 'select': {
      const choices =
        type === 'boolean'
          ? [
              { value: 'true', label: t('On') },
              { value: 'false', label: t('Off') },
            ]
          : options.map((one) => ({ value: one, label: wordFor(field, one) }));
      const blank = {
        value: '',
        label: isBlank(below)
          ? (placeholder ?? t('Not set'))
          : t('Default ({value})', { value: wordFor(field, below) }),
      };
      return (
        <SelectField {...common} options={[blank, ...choices]} onChange={({ target }) => onChange(target.value)} />
      );
    }
    case 'text':
      return (
        <TextField
          {...common}
          rows={5}
          dir="auto"
          placeholder={hintOfBlank}
          onChange={({ target }) => onChange(target.value)}
        />
      );
    case 'number':
      return (
        <Field
          {...common}
          inputMode="decimal"
          autoComplete="off"
          placeholder={hintOfBlank}
          onChange={({ target }) => onChange(target.value)}
        />
      );
    case 'string':
      return (
        <Field
          {...common}
          autoComplete="off"
          placeholder={hintOfBlank}
          onChange={({ target }) => onChange(target.value)}
        />
      );
    default:
      return type satisfies never;
  }
}
