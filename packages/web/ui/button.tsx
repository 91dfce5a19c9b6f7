// Building blocks of the pages, without knowledge of conversations. May import: browser, words, calls. This folder's own
// files import none of the folders in it.
import type { ButtonHTMLAttributes, ComponentProps, ReactNode } from 'react';
import { classNames } from '../browser/class-names.ts';
import styles from './button.module.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'primary' | 'plain' | 'quiet' | 'danger';
  size?: 'small' | 'medium';
  isBusy?: boolean;
}

export function Button({ look = 'plain', size = 'medium', isBusy = false, className, children, ...rest }: ButtonProps) {
  const names = classNames(styles['button'], styles[look], styles[size], isBusy && styles['busy'], className);
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={names}
    >
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** The accessible name. */
  label: string;
  icon: ReactNode;
  isPressed?: boolean;
  size?: 'small' | 'medium';
}

export function IconButton({ label, icon, isPressed, size, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      aria-pressed={isPressed}
      {...rest}
      className={classNames(styles['icon'], size === 'small' && styles['smallIcon'], className)}
    >
      {icon}
    </button>
  );
}
