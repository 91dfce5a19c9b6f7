import type { Input, Result, TokenScope } from '@parley/protocol';
import { ApiError } from '@parley/client';
import { CircleAlert, PlugZap } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useForm } from '../calls/use-form.ts';
import { chatTitle } from '../chats/chat/chat-title.ts';
import { useSession } from '../session/session.ts';
import { useCell } from '../session/use-cell.ts';
import { usePasswordQuestion } from '../settings/account/ask-password.tsx';
import { ALL, lifetimes, MONTH, ScopeSwitches } from '../settings/tokens/scope-switches.tsx';
import { Button } from '../ui/button.tsx';
import { Buttons } from '../ui/layout/buttons.tsx';
import { FormField } from '../ui/forms/form-field.tsx';
import { PageCard } from '../ui/layout/page-card.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { errorText } from '../words/error-text.ts';
import { t } from '../words/t.ts';
import styles from './consent-page.module.css';

type Request = Input<'getProgramRequest'>;
type Asked = Result<'getProgramRequest'>;

/** The program's words, as the service checks them; a parameter that is given twice counts as its first. */
function requestIn(query: URLSearchParams): Request {
  const fields = Object.fromEntries([...query.keys()].map((name) => [name, query.get(name)]));
  // The service checks each field.
  return { ...fields, issuer: location.origin } as unknown as Request;
}

/** Where a program asks whether it may act for the user. Opening it grants nothing (WEB-643). */
export default function ConsentPage() {
  const { client } = useSession();
  const [request] = useState(() => requestIn(new URLSearchParams(location.search)));
  const [asked, setAsked] = useState<Asked | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    client.call('getProgramRequest', request).then(setAsked, setError);
  }, [client, request]);
  if (error !== null) return <Refused error={error} />;
  return asked ? <Consent request={request} asked={asked} /> : null;
}

function Refused({ error }: { error: unknown }) {
  const isWrong = error instanceof ApiError && error.code === 'invalid_argument';
  return (
    <PageCard icon={<CircleAlert />} title={t('This program can’t be let in')}>
      <p>{isWrong ? t('Its request has expired or isn’t valid. Start again in the program.') : errorText(error)}</p>
      <Button onClick={() => location.assign('/')}>{t('Go to the start')}</Button>
    </PageCard>
  );
}

const fields = {
  chat_id: { kind: 'choice', label: t('Conversation') },
  expires_in: { kind: 'choice', label: t('Expires') },
} as const;

/** Reading only, all conversations and a month, unless the user chooses otherwise. */
function Consent({ request, asked }: { request: Request; asked: Asked }) {
  const { client, store, username } = useSession();
  const { ids } = useCell(store.chats);
  const chats = ids.flatMap((id) => store.chat(id).get() ?? []);
  const { ask, dialog } = usePasswordQuestion();
  const form = useForm(fields, { chat_id: ALL, expires_in: MONTH });
  const [scopes, setScopes] = useState<readonly TokenScope[]>(asked.scopes.filter((scope) => scope === 'read'));
  const [isLeft, setIsLeft] = useState(false);
  const { name, place } = asked;

  function leave(url: string) {
    setIsLeft(true);
    location.assign(url);
  }

  async function allow() {
    if (scopes.length === 0) return form.refuse('scopes', t('Choose at least one.'));
    const { chat_id, expires_in } = form.draft;
    await form.send(async () => {
      const { url } = await ask((given) =>
        client.call('grantProgram', {
          ...request,
          scopes: [...scopes],
          ...(chat_id !== ALL && { chat_ids: [chat_id] }),
          ...(expires_in !== ALL && { expires_in: Number(expires_in) }),
          ...given,
        }),
      );
      leave(url);
    });
    return undefined;
  }

  if (isLeft)
    return (
      <PageCard icon={<PlugZap />} title={t('Back to {name}', { name })}>
        <p>{t('You can close this page if the program doesn’t open.')}</p>
      </PageCard>
    );
  return (
    <PageCard icon={<PlugZap />} title={t('Let {name} act for you?', { name })}>
      <p>
        {place === null
          ? t(
              'A program on this computer asks, and says that this is its name. Allow it only if you have just started it.',
            )
          : t('{place} asks, and says that this is its name. Allow it only if you have just started it there.', {
              place,
            })}
      </p>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          void allow();
        }}
        noValidate
      >
        <ScopeSwitches
          offered={asked.scopes}
          scopes={scopes}
          error={form.errorOf('scopes')}
          onChange={(chosen) => {
            setScopes(chosen);
            form.clear();
          }}
        />
        <FormField
          {...form.field('chat_id')}
          options={[
            { value: ALL, label: t('All of yours') },
            ...chats.map((chat) => ({ value: chat.id, label: chatTitle(chat, username) })),
          ]}
        />
        <FormField {...form.field('expires_in')} options={lifetimes} />
        <p className="ui-hint">
          {t(
            'You’re signed in as {username}. What it writes shows its name beside yours. End this at any time in Settings → Bots.',
            { username },
          )}
        </p>
        <Problem text={form.errorOf('scopes') === null ? form.otherError : null} ofForm />
        <Buttons>
          <Button onClick={() => leave(asked.declined_url)}>{t('Decline')}</Button>
          <Button type="submit" look="primary" isBusy={form.isBusy}>
            {t('Allow')}
          </Button>
        </Buttons>
      </form>
      {dialog}
    </PageCard>
  );
}
