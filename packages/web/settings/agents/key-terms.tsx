import type { MyBotConfig, Params, PaysFor } from '@parley/protocol';
import { type SubmitEvent, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Choice } from '../../ui/forms/choice.tsx';
import { Field, TextField } from '../../ui/forms/field.tsx';
import { SaveButtons } from '../../ui/forms/save-buttons.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { payers, payerMeanings } from './payers.ts';
import { tokensIn, modelsIn } from './key-terms-input.ts';
import styles from '../../config/settings.module.css';
import { t } from '../../words/t.ts';

/** The daily tokens for each person if the owner sets none, as the service has them. */
const USUAL_DAILY_TOKENS = 200_000;

interface KeyTermsProps {
  config: MyBotConfig;
  onSaved: (config: MyBotConfig) => void;
}

/** Who may use the owner's key of an agent, with which models, and with how many tokens a day each. */
export function KeyTerms({ config, onSaved }: KeyTermsProps) {
  const { client } = useSession();
  const { username } = config.bot;
  const { pays_for = 'groups', allowed_models = [], asker_daily_tokens = null } = config;
  const [models, setModels] = useState(allowed_models.join('\n'));
  const [daily, setDaily] = useState(asker_daily_tokens === null ? '' : String(asker_daily_tokens));
  const { isBusy, isDone, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  const set = (change: Omit<Params<'setBotConfig'>, 'username'>) =>
    submit(async () => onSaved(await client.call('setBotConfig', { username, ...change })));

  // Optimistic: restored if the service refuses it.
  async function choose(next: PaysFor) {
    onSaved({ ...config, pays_for: next });
    if (!(await set({ pays_for: next }))) onSaved(config);
  }

  async function save(event: SubmitEvent) {
    event.preventDefault();
    const tokens = tokensIn(daily);
    if (tokens === undefined) return refuse('asker_daily_tokens', t('Enter a whole number, or leave it empty.'));
    await set({ asker_daily_tokens: tokens, allowed_models: modelsIn(models) });
    return undefined;
  }

  return (
    <form className={styles['form']} onSubmit={(event) => void save(event)} noValidate>
      <Choice
        label={t('Who else may use your key')}
        options={payers}
        value={pays_for}
        onChange={(next) => void choose(next)}
      />
      <p className={styles['faint']}>{payerMeanings[pays_for]}</p>
      <Field
        label={t('Daily tokens for each of them')}
        inputMode="numeric"
        autoComplete="off"
        placeholder="200000"
        hint={t(
          'After that, the agent answers them again the next day (UTC). Enter 0 for none; leave it empty for {usual, number}.',
          { usual: USUAL_DAILY_TOKENS },
        )}
        value={daily}
        error={errorOf('asker_daily_tokens')}
        onChange={({ target }) => {
          setDaily(target.value);
          clear();
        }}
      />
      <TextField
        label={t('Models they may choose')}
        rows={3}
        autoComplete="off"
        spellCheck={false}
        placeholder={t('None: they use the model you set')}
        hint={t('One per line. Your limit for the length of replies applies to them too.')}
        value={models}
        error={errorOf('allowed_models')}
        onChange={({ target }) => {
          setModels(target.value);
          clear();
        }}
      />
      <Problem text={errorBut('asker_daily_tokens', 'allowed_models')} ofForm />
      <SaveButtons isBusy={isBusy} isDone={isDone} />
    </form>
  );
}
