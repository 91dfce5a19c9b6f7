import type { MyBotConfig, Params } from '@parley/protocol';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Stack } from '../../ui/layout/stack.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Saved } from '../../ui/states/done.tsx';
import { Switch } from '../../ui/forms/switch.tsx';
import { wordedFields } from '../../config/worded-fields.ts';
import { TokenLimit } from './token-limit.tsx';
import styles from '../../config/settings.module.css';
import { t } from '../../words/t.ts';

interface OwnerSettingsProps {
  config: MyBotConfig;
  /** Explains what a public agent means; without it the switch is left out. */
  publicHint?: string;
  onSaved: (config: MyBotConfig) => void;
}

/** Settings of the owner: who may talk to an agent, what others see of its settings, and its monthly budgets. */
export function OwnerSettings({ config, publicHint, onSaved }: OwnerSettingsProps) {
  const { client } = useSession();
  const { username } = config.bot;
  const { isBusy, isDone, errorBut, submit } = useSubmit();
  const published = config.show_on_profile ?? [];
  const set = (change: Omit<Params<'setBotConfig'>, 'username'>) =>
    submit(async () => onSaved(await client.call('setBotConfig', { username, ...change })));

  return (
    <Stack>
      {publicHint === undefined ? null : (
        <Switch
          label={t('Public')}
          hint={publicHint}
          isOn={config.is_public === true}
          isDisabled={isBusy}
          onChange={(is_public) => void set({ is_public })}
        />
      )}
      {config.bot.agent_provider === 'bot' ? null : (
        <Switch
          label={t('Give chats a title')}
          hint={t(
            'After the first reply of a new chat it is asked once more, for a short title. That uses a few tokens.',
          )}
          isOn={config.titles !== false}
          isDisabled={isBusy}
          onChange={(titles) => void set({ titles })}
        />
      )}
      <TokenLimit config={config} field="monthly_token_cap" onSaved={onSaved} />
      <TokenLimit config={config} field="group_monthly_tokens" onSaved={onSaved} />
      {config.config_schema.length > 0 ? (
        <fieldset className={styles['group']}>
          <legend>{t('Settings that others can see')}</legend>
          {wordedFields(config.bot, config.config_schema).map(({ key, label }) => (
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
      <Saved isDone={isDone} />
      <Problem text={errorBut()} />
    </Stack>
  );
}
