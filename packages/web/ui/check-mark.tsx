import { Check } from 'lucide-react';
import { classNames } from '../browser/class-names.ts';
import styles from './check-mark.module.css';

/** The picture of a checkbox, inside a button that has the role and the name of one. */
export const CheckMark = ({ isChecked }: { isChecked: boolean }) => (
  <span className={classNames(styles['mark'], isChecked && 'ui-checked')} aria-hidden>
    {isChecked ? <Check strokeWidth={3} /> : null}
  </span>
);
