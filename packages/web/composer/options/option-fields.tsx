import { X } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { t } from '../../words/t.ts';
import styles from './option-fields.module.css';

interface OptionFieldsProps {
  options: readonly string[];
  /** Maximum number of options. */
  most: number;
  onChange: (options: readonly string[]) => void;
}

/** The options of a poll or a decision. An empty field for one more option follows the last one. */
export function OptionFields({ options, most, onChange }: OptionFieldsProps) {
  const write = (at: number, text: string) => {
    const next = options.map((option, index) => (index === at ? text : option));
    const isFull = next.length === most || next.at(-1)?.trim() === '';
    onChange(isFull ? next : [...next, '']);
  };
  return options.map((option, at) => (
    // Options have no identity besides their place.
    <div key={at} className={styles['option']}>
      <Field
        className="ui-grow"
        label={t('Option {number, number}', { number: at + 1 })}
        value={option}
        dir="auto"
        autoComplete="off"
        onChange={({ target }) => write(at, target.value)}
      />
      {options.length > 2 && option !== '' ? (
        <IconButton
          label={t('Remove option {number, number}', { number: at + 1 })}
          icon={<X />}
          onClick={() => onChange(options.filter((_, index) => index !== at))}
        />
      ) : null}
    </div>
  ));
}
