import type { MyBotConfig, Params } from '@parley/protocol';
import { type SubmitEvent, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Switch } from '../../ui/forms/switch.tsx';
import { tokensIn } from './key-terms-input.ts';
import styles from '../../config/settings.module.css';

interface OwnerSettingsProps {
  config: MyBotConfig;
  /** Explains what a public agent means; without it the switch is left out. */
  publicHint?: string;
  onSaved: (config: MyBotConfig) => void;
}

/** Settings of the owner: who may talk to an agent, what others see of its settings, and its monthly budget. */
export function OwnerSettings({ config, publicHint, onSaved }: OwnerSettingsProps) {
  const { client } = useSession();
  const { username } = config.bot;
  const cap = config.monthly_token_cap ?? null;
  const [most, setMost] = useState(cap === null ? '' : String(cap));
  const { isBusy, isDone, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  const published = config.show_on_profile ?? [];
  const set = (change: Omit<Params<'setBotConfig'>, 'username'>) =>
    submit(async () => onSaved(await client.call('setBotConfig', { username, ...change })));

  async function saveCap(event: SubmitEvent) {
    event.preventDefault();
    const tokens = tokensIn(most);
    if (tokens === undefined) return refuse('monthly_token_cap', 'Enter a whole number, or leave it empty.');
    await set({ monthly_token_cap: tokens });
    return undefined;
  }

  return (
    <div className={styles['form']}>
      {publicHint === undefined ? null : (
        <Switch
          label="Public"
          hint={publicHint}
          isOn={config.is_public === true}
          isDisabled={isBusy}
          onChange={(is_public) => void set({ is_public })}
        />
      )}
      {config.bot.agent_provider === 'bot' ? null : (
        <Switch
          label="Give chats a title"
          hint="After the first reply of a new chat it is asked once more, for a short title. That uses a few tokens."
          isOn={config.titles !== false}
          isDisabled={isBusy}
          onChange={(titles) => void set({ titles })}
        />
      )}
      <form className={styles['inline']} onSubmit={(event) => void saveCap(event)} noValidate>
        <Field
          label="Monthly token limit"
          inputMode="numeric"
          placeholder="No limit"
          hint="When it’s reached, the agent says so instead of answering."
          value={most}
          error={errorOf('monthly_token_cap')}
          onChange={({ target }) => {
            setMost(target.value);
            clear();
          }}
        />
        <Button type="submit" isBusy={isBusy}>
          Set
        </Button>
      </form>
      {config.config_schema.length > 0 ? (
        <fieldset className={styles['group']}>
          <legend>Settings that others can see</legend>
          {config.config_schema.map(({ key, label }) => (
            <Switch
              key={key}
              label={label}
              isOn={published.includes(key)}
              isDisabled={isBusy}
              onChange={(isOn) =>
                void set({ show_on_profile: isOn ? [...published, key] : published.filter((one) => one !== key) })
              }
            />
          ))}
        </fieldset>
      ) : null}
      <span className={styles['done']} role="status">
        {isDone ? 'Saved' : ''}
      </span>
      <Problem text={errorBut('monthly_token_cap')} />
    </div>
  );
}
