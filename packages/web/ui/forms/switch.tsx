import { Switch as Base } from '@base-ui/react/switch';
import { type ReactNode, useId } from 'react';
import styles from './switch.module.css';

interface SwitchProps {
  label: string;
  hint?: ReactNode;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  isDisabled?: boolean;
}

/** A labelled on/off switch. */
export function Switch({ label, hint, isOn, onChange, isDisabled = false }: SwitchProps) {
  const id = useId();
  return (
    <div className={styles['row']}>
      <div>
        <label id={`${id}-label`} htmlFor={id}>
          {label}
        </label>
        {hint ? <p className={styles['hint']}>{hint}</p> : null}
      </div>
      <Base.Root
        id={id}
        className={styles['switch']}
        checked={isOn}
        disabled={isDisabled}
        onCheckedChange={onChange}
        aria-labelledby={`${id}-label`}
      >
        <Base.Thumb className={styles['thumb']} />
      </Base.Root>
    </div>
  );
}
