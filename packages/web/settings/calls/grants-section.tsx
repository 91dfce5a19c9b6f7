import { ApiError } from '@parley/client';
import type { ToolGrant } from '@parley/protocol';
import { useCallback } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { chatTitle } from '../../chats/chat/chat-title.ts';
import settings from '../../config/settings.module.css';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';
import { dateOf } from '../../words/times.ts';
import { visibleText } from '../../words/visible-text.ts';

/** What agents may do without asking, and how it is taken back (CALL-19, CALL-20). */
export function GrantsSection() {
  const { client } = useSession();
  const load = useCallback(async () => {
    const grants: ToolGrant[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await client.call('getToolGrants', { limit: 100, ...(cursor !== undefined && { cursor }) });
      grants.push(...page.items);
      cursor = page.next_cursor;
      if (cursor === undefined) return grants;
    }
  }, [client]);
  const grants = useLoaded(load);
  return (
    <Section
      title={t('Allowed without asking')}
      hint={t('What you’ve always allowed. Take it back, and the agent asks you again.')}
    >
      <LoadedView
        loaded={grants}
        label={t('Loading what you’ve allowed')}
        empty={t('You haven’t allowed anything in advance: agents ask you each time.')}
      >
        {(items) => (
          <ul className="ui-stack">
            {items.map((grant) => (
              <GrantRow
                key={grant.grant_id}
                grant={grant}
                onRevoked={() => grants.change((before) => before.filter((one) => one !== grant))}
              />
            ))}
          </ul>
        )}
      </LoadedView>
    </Section>
  );
}

function GrantRow({ grant, onRevoked }: { grant: ToolGrant; onRevoked: () => void }) {
  const { client } = useSession();
  const { isBusy, errorBut, submit } = useSubmit();
  const { grant_id, agent, server, host, tool, title, granted_at, used_at } = grant;
  const name = visibleText(title ?? tool);
  async function revoke() {
    const isGone = await submit(async () =>
      client.call('revokeToolGrant', { grant_id }).catch((error: unknown) => {
        // It was taken back elsewhere.
        if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
      }),
    );
    if (isGone) onRevoked();
  }
  return (
    <li>
      <div className={settings['row']}>
        <span className="ui-texts">
          <span className="ui-name ui-break">
            <bdi>{name}</bdi>
          </span>
          <span className="ui-note ui-break">
            {shownName(agent)} · <bdi>{host ?? server}</bdi>
          </span>
          <span className="ui-note ui-break">
            <Where grant={grant} /> · {t('since {day}', { day: dateOf(granted_at) })}
            {used_at === undefined ? '' : ` · ${t('last used on {day}', { day: dateOf(used_at) })}`}
          </span>
        </span>
        <Button
          size="small"
          isBusy={isBusy}
          aria-label={t('Take back that {agent} may use {tool}', { agent: shownName(agent), tool: name })}
          onClick={() => void revoke()}
        >
          {t('Take back')}
        </Button>
      </div>
      <Problem text={errorBut()} />
    </li>
  );
}

function Where({ grant: { where, conversation_id: chatId = '' } }: { grant: ToolGrant }) {
  const { store, username } = useSession();
  const chat = useCell(store.chat(chatId));
  if (where === 'always') return t('in every conversation');
  return chat ? t('in {chat}', { chat: chatTitle(chat, username) }) : t('in one conversation');
}
