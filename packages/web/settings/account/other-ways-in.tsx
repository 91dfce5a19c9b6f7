import { ApiError, type Client } from '@parley/client';
import { useCallback, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Done } from '../../ui/states/done.tsx';
import { Buttons } from '../../ui/layout/buttons.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { CopiedField } from '../../ui/forms/copied-field.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { botNames, openInvites } from './access.ts';
import { t } from '../../words/t.ts';

interface OtherWaysInProps {
  /** The account's password, which new tokens may require. */
  password: string;
}

/**
 * Offers to end access that a password change leaves valid: tokens of the user's bots and invites to their groups. A
 * person who knew the old password may have copied them (WEB-98).
 */
export function OtherWaysIn({ password }: OtherWaysInProps) {
  const { client } = useSession();
  const load = useCallback(async () => {
    const [bots, invites] = await Promise.all([botNames(client), openInvites(client)]);
    return { bots, invites };
  }, [client]);
  const { value } = useLoaded(load);
  if (!value || value.bots.length + value.invites.length === 0) return null;
  return (
    <Section
      level={3}
      title={t('Does someone else know your old password?')}
      hint={t(
        'They may also have a bot’s token or an invite link to one of your groups. Both still work until you replace them here.',
      )}
    >
      <BotTokens usernames={value.bots} password={password} client={client} />
      <Invites ids={value.invites} client={client} />
    </Section>
  );
}

interface BotTokensProps extends OtherWaysInProps {
  usernames: readonly string[];
  client: Client;
}

function BotTokens({ usernames, password, client }: BotTokensProps) {
  const [tokens, setTokens] = useState<ReadonlyMap<string, string>>(new Map());
  const { isBusy, errorBut, submit } = useSubmit();
  const left = usernames.filter((username) => !tokens.has(username));
  async function replace() {
    for (const username of left) {
      const { token } = await client.call('rotateBotToken', { username, password });
      setTokens((made) => new Map(made).set(username, token));
    }
  }
  if (usernames.length === 0) return null;
  return (
    <Stack>
      {tokens.size > 0 ? (
        <p className="ui-about">
          {t('Copy the new token now and give it to your bot’s program: it won’t be shown again.')}
        </p>
      ) : null}
      {Array.from(tokens, ([username, token]) => (
        <Stack key={username}>
          <label>
            {username}
            <CopiedField label={t('Token of {username}', { username })} value={token} />
          </label>
          <Buttons>
            <CopyButton text={token} label={t('Copy token')} />
          </Buttons>
        </Stack>
      ))}
      <Problem text={errorBut()} />
      {left.length > 0 ? (
        <Buttons>
          <Button isBusy={isBusy} onClick={() => void submit(replace)}>
            {t('{count, plural, one {Replace the token of your bot} other {Replace the tokens of your # bots}}', {
              count: left.length,
            })}
          </Button>
        </Buttons>
      ) : null}
    </Stack>
  );
}

function Invites({ ids, client }: { ids: readonly string[]; client: Client }) {
  const [left, setLeft] = useState(ids);
  const { isBusy, isDone, errorBut, submit } = useSubmit();
  async function revoke() {
    for (const invite_id of left) {
      await client.call('revokeInvite', { invite_id }).catch((error: unknown) => {
        // The invite has already expired.
        if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
      });
      setLeft((before) => before.filter((id) => id !== invite_id));
    }
  }
  if (ids.length === 0) return null;
  return (
    <Stack>
      <Problem text={errorBut()} />
      <Buttons>
        <Done>{isDone ? t('Invite links revoked.') : ''}</Done>
        {isDone ? null : (
          <Button isBusy={isBusy} onClick={() => void submit(revoke)}>
            {t(
              '{count, plural, one {Revoke the invite link to your group} other {Revoke all # invite links to your groups}}',
              { count: left.length },
            )}
          </Button>
        )}
      </Buttons>
    </Stack>
  );
}
