import type { Result, Visibility } from '@parley/protocol';
import { KeyRound, Trash2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { PersonLine } from '../../chats/people/person-line.tsx';
import { Buttons } from '../../ui/layout/buttons.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { usePasswordQuestion } from '../account/ask-password.tsx';
import { ConfigForm } from '../../config/config-form.tsx';
import { AgentProfile } from '../agents/agent-profile.tsx';
import { AudienceChoice } from '../agents/audience-choice.tsx';
import { audienceNotes } from '../agents/audience-notes.ts';
import { OwnerSettings } from '../agents/owner-settings.tsx';
import styles from '../../config/settings.module.css';
import { type UsageItem, usageOf } from '../../session/usage.ts';
import { UsageView } from '../agents/usage-view.tsx';
import { t } from '../../words/t.ts';

interface BotCardProps {
  bot: Result<'getMyAgents'>['items'][number];
  usage: readonly UsageItem[] | null;
  onToken: (token: string) => void;
  /** Its profile, or who may start a chat with it, was changed. */
  onChange: () => void;
  onDeleted: () => void;
}

/** A bot: its profile, its settings, its token, and its deletion. */
export function BotCard({ bot, usage, onToken, onChange, onDeleted }: BotCardProps) {
  const { client } = useSession();
  const { username, display_name } = bot;
  const [asked, setAsked] = useState<'rotate' | 'delete' | null>(null);
  const load = useCallback(async () => client.call('getMyBotConfig', { username }), [client, username]);
  const config = useLoaded(load);
  const used = usage === null ? null : usageOf(username, usage);
  const { ask, dialog } = usePasswordQuestion();
  const { errorBut, submit } = useSubmit();
  const [audience, setAudience] = useState(bot.visibility);
  async function admit(visibility: Visibility) {
    setAudience(visibility);
    if (await submit(() => client.call('updateAgent', { username, visibility }))) onChange();
    else setAudience(bot.visibility);
  }
  async function rotate() {
    const { token } = await ask((given) => client.call('rotateBotToken', { username, ...given }));
    onToken(token);
  }
  async function remove() {
    await client.call('deleteBot', { username });
    onDeleted();
  }
  return (
    <Stack>
      <PersonLine who={{ ...bot, kind: 'agent' }} size={40} note={audienceNotes[bot.visibility]} />
      {used && used.replies > 0 ? <UsageView usage={used} cap={config.value?.monthly_token_cap ?? null} /> : null}
      <LoadedView loaded={config} label={t('Loading its settings')}>
        {(value) => (
          <div>
            <details className={styles['more']}>
              <summary>{t('Its name and picture')}</summary>
              <AgentProfile
                account={value.bot}
                onSaved={(saved) => {
                  config.change((before) => ({ ...before, bot: saved }));
                  onChange();
                }}
              />
            </details>
            {value.config_schema.length + value.secret_schema.length > 0 ? (
              <>
                <details className={styles['more']}>
                  <summary>{t('Settings for everyone')}</summary>
                  <ConfigForm config={value} layer="owner" onConfig={config.put} />
                </details>
                <details className={styles['more']}>
                  <summary>{t('Settings only for you')}</summary>
                  <ConfigForm config={value} layer="own" onConfig={config.put} />
                </details>
              </>
            ) : null}
            <details className={styles['more']}>
              <summary>{t('Who may talk to it, and how much')}</summary>
              <Stack>
                <AudienceChoice value={audience} onChange={(visibility) => void admit(visibility)} />
                <Problem text={errorBut()} />
                <OwnerSettings config={value} onSaved={config.put} />
              </Stack>
            </details>
          </div>
        )}
      </LoadedView>
      <Buttons atStart>
        <Button size="small" onClick={() => setAsked('rotate')}>
          <KeyRound aria-hidden /> {t('New token')}
        </Button>
        <Button size="small" look="danger" onClick={() => setAsked('delete')}>
          <Trash2 aria-hidden /> {t('Delete')}
        </Button>
      </Buttons>
      {asked === 'rotate' ? (
        <Confirm
          title={t('A new token for {name}', { name: display_name })}
          text={
            <>
              {t('The old token stops working right away. Programs that use it are signed out.')}
              {dialog}
            </>
          }
          action={t('Make a new token')}
          onConfirm={rotate}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {asked === 'delete' ? (
        <Confirm
          title={t('Delete {name}', { name: display_name })}
          text={t(
            'Its token stops working and it leaves its groups. Its messages stay. No one can use its name again.',
          )}
          action={t('Delete bot')}
          isDanger
          onConfirm={remove}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </Stack>
  );
}
