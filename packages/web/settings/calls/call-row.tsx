import type { ToolCall } from '@parley/protocol';
import { ChevronDown } from 'lucide-react';
import { type MouseEvent, useState } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute, hrefOf } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { ToolStatusIcon, toolWords } from '../../ui/tool-status.tsx';
import { callOptionLabel } from '../../words/decision-words.ts';
import { readersText } from '../../words/readers-text.ts';
import { handleOf, shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';
import { toolTitle } from '../../words/tool-title.ts';
import { fullTime, shortTime } from '../../words/times.ts';
import { visibleText } from '../../words/visible-text.ts';
import { CallContents } from './call-contents.tsx';
import styles from './calls.module.css';

/** One call: a line that unfolds what it was, who allowed it and what it was given. */
export function CallRow({ call }: { call: ToolCall }) {
  const { username } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const { agent, asker, tool, title, status, asked_at: askedAt } = call;
  const isMine = asker.username === username;
  return (
    <li>
      <details
        className={styles['call']}
        data-call={call.call_id}
        onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      >
        <summary className="ui-hover">
          <span className={styles['icon']}>
            <ToolStatusIcon status={status} />
          </span>
          <span className="ui-texts">
            <span className={styles['line']}>
              {/* A server's own words. */}
              <span className="ui-name ui-break">
                <bdi>{visibleText(toolTitle({ name: tool, title }))}</bdi>
              </span>
              <time className="ui-time" dateTime={askedAt} title={fullTime(askedAt)}>
                {shortTime(askedAt)}
              </time>
            </span>
            <span className="ui-note ui-break">
              {[
                toolWords[status],
                shownName(agent),
                accountText(call, username),
                isMine ? '' : t('asked by {name}', { name: shownName(asker) }),
              ]
                .filter((part) => part !== '')
                .join(' · ')}
            </span>
          </span>
          <ChevronDown className={styles['arrow']} aria-hidden />
        </summary>
        {isOpen ? <CallDetails call={call} isMine={isMine} me={username} /> : null}
      </details>
    </li>
  );
}

function accountText({ as, agent }: ToolCall, me: string): string {
  if (as === 'none') return t('without an account');
  // Others see only calls with their own account.
  const isMine = as === 'asker' || agent.username.startsWith(`${me}:`);
  return isMine ? t('with your account') : t('with the account of the agent’s owner');
}

function CallDetails({ call, isMine, me }: { call: ToolCall; isMine: boolean; me: string }) {
  const { tool, host, server, asked_at: askedAt, ended_at: endedAt, option, decided_at: decidedAt } = call;
  const { status, writes, reads_to } = call;
  return (
    <div className={styles['details']}>
      <Facts>
        <Fact name={t('Tool')}>
          <code>{visibleText(tool)}</code>
        </Fact>
        <Fact name={t('Where')}>
          <bdi>{host}</bdi> {host === server ? null : t('(as “{server}”)', { server })}
        </Fact>
        <Fact name={t('Kind')}>{writes ? t('May change something there') : t('Only reads')}</Fact>
        <Fact name={t('Wanted')}>{fullTime(askedAt)}</Fact>
        {endedAt === undefined ? null : <Fact name={t('Finished')}>{fullTime(endedAt)}</Fact>}
        {option === undefined || decidedAt === undefined ? null : (
          <Fact name={t('Your answer')}>
            {callOptionLabel(option)} · {fullTime(decidedAt)}
          </Fact>
        )}
        {reads_to === undefined ? null : (
          <Fact name={t('Who will see the reply')}>
            {readersText({ reads_to, readers: call.readers }, me, handleOf)}
          </Fact>
        )}
      </Facts>
      {status === 'unknown' ? (
        <p className="ui-about ui-warn">
          {t('Nobody knows whether this was carried out. Look there before you ask for it again.')}
        </p>
      ) : null}
      {isMine ? (
        <CallContents call={call} />
      ) : (
        <p className="ui-about">
          {t('Only the person who asked can see what was sent and what came back, as long as it is kept.')}
        </p>
      )}
      <ReplyLink call={call} />
    </div>
  );
}

function ReplyLink({ call: { conversation_id: chatId, message_id: messageId } }: { call: ToolCall }) {
  const navigate = useNavigate();
  if (chatId === undefined || messageId === undefined) return null;
  const route = chatRoute(chatId, { messageId });
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(route);
  };
  return (
    <p className="ui-about ui-links">
      <a href={hrefOf(route)} onClick={open}>
        {t('Show in chat')}
      </a>
    </p>
  );
}
