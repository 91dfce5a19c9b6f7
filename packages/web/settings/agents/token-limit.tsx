import type { MyBotConfig } from '@parley/protocol';
import { type SubmitEvent, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { tokensIn } from './key-terms-input.ts';
import styles from '../../config/settings.module.css';
import { t } from '../../words/t.ts';

interface TokenLimitProps {
  config: MyBotConfig;
  field: 'monthly_token_cap' | 'group_monthly_tokens';
  label: string;
  hint: string;
  onSaved: (config: MyBotConfig) => void;
}

/** A limit of an agent's tokens: a number, or none. */
export function TokenLimit({ config, field, label, hint, onSaved }: TokenLimitProps) {
  const { client } = useSession();
  const { username } = config.bot;
  const set = config[field] ?? null;
  const [most, setMost] = useState(set === null ? '' : String(set));
  const { isBusy, isDone, errorOf, errorBut, submit, refuse, clear } = useSubmit();

  async function save(event: SubmitEvent) {
    event.preventDefault();
    const tokens = tokensIn(most);
    if (tokens === undefined) return refuse(field, t('Enter a whole number, or leave it empty.'));
    await submit(async () => onSaved(await client.call('setBotConfig', { username, [field]: tokens })));
    return undefined;
  }

  return (
    <form className={styles['inline']} onSubmit={(event) => void save(event)} noValidate>
      <div>
        <Field
          label={label}
          inputMode="numeric"
          autoComplete="off"
          placeholder={t('No limit')}
          hint={hint}
          value={most}
          error={errorOf(field)}
          onChange={({ target }) => {
            setMost(target.value);
            clear();
          }}
        />
        <span className={styles['done']} role="status">
          {isDone ? t('Saved') : ''}
        </span>
        <Problem text={errorBut(field)} />
      </div>
      <Button type="submit" isBusy={isBusy}>
        {t('Save')}
      </Button>
    </form>
  );
}
