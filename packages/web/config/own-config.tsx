import type { Actor } from '@parley/protocol';
import { useCallback } from 'react';
import { useSession } from '../session/session.ts';
import { useLoaded } from '../calls/use-loaded.ts';
import { Stack } from '../ui/layout/stack.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { LoadedView } from '../ui/states/loaded-view.tsx';
import { ConfigForm } from './config-form.tsx';
import { OwnTools } from './own-tools.tsx';
import { t } from '../words/t.ts';

/** The user's own settings for an agent: they apply only to its replies to this user. */
export function OwnConfigDialog({ agent, onClose }: { agent: Actor; onClose: () => void }) {
  const { client } = useSession();
  const { username } = agent;
  const load = useCallback(async () => client.call('getMyBotConfig', { username }), [client, username]);
  const config = useLoaded(load);
  return (
    <Dialog title={agent.display_name} isOpen onClose={onClose}>
      <Stack>
        <p className="ui-about">
          {t('These apply only when it answers you. Anything you leave empty stays as its owner set it.')}
        </p>
        <LoadedView loaded={config} label={t('Loading its settings')}>
          {(value) => (
            <>
              {value.bot.agent_provider === 'bot' ? null : (
                <p className="ui-about">
                  {t(
                    'While the owner’s key pays for you, the owner decides about the model and the length of replies. With an API key of your own, you do.',
                  )}
                </p>
              )}
              <ConfigForm config={value} layer="own" onConfig={config.put} />
              <OwnTools agent={username} />
            </>
          )}
        </LoadedView>
      </Stack>
    </Dialog>
  );
}
