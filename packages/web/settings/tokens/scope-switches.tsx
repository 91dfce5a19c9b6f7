import type { TokenScope } from '@parley/protocol';
import { classNames } from '../../browser/class-names.ts';
import { Switch } from '../../ui/forms/switch.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { t } from '../../words/t.ts';
import styles from '../../config/settings.module.css';
import { scopeWords } from './scope-words.ts';

export const ALL = '';
const DAY_SECONDS = 86_400;
export const lifetimes = [
  { value: String(7 * DAY_SECONDS), label: t('After a week') },
  { value: String(30 * DAY_SECONDS), label: t('After a month') },
  { value: String(365 * DAY_SECONDS), label: t('After a year') },
  { value: ALL, label: t('Never') },
];
export const MONTH = String(30 * DAY_SECONDS);

interface ScopeSwitchesProps {
  /** Those that can be chosen. */
  offered?: readonly TokenScope[];
  scopes: readonly TokenScope[];
  error: string | null;
  onChange: (scopes: readonly TokenScope[]) => void;
}

/** What a program may do, scope by scope. */
export function ScopeSwitches({ offered, scopes, error, onChange }: ScopeSwitchesProps) {
  return (
    <fieldset className={classNames(styles['group'], styles['apart'])}>
      <legend>{t('What it may do')}</legend>
      {scopeWords
        .filter(({ scope }) => offered?.includes(scope) ?? true)
        .map(({ scope, label, hint }) => (
          <Switch
            key={scope}
            label={label}
            hint={hint}
            isOn={scopes.includes(scope)}
            onChange={(isOn) => onChange(isOn ? [...scopes, scope] : scopes.filter((other) => other !== scope))}
          />
        ))}
      <Problem text={error} />
    </fieldset>
  );
}
