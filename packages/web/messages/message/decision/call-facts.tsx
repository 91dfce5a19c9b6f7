import type { Chat, StoredMessage } from '@parley/client/store';
import type { Decision } from '@parley/protocol';
import { OWN_TOOLS } from '@parley/protocol/built-in-tools';
import { Eye, PencilLine, TriangleAlert } from 'lucide-react';
import { classNames } from '../../../browser/class-names.ts';
import { useSession } from '../../../session/session.ts';
import { ArgumentsTable } from '../../../ui/arguments-table.tsx';
import { Fact, Facts } from '../../../ui/facts.tsx';
import { LoadedView } from '../../../ui/states/loaded-view.tsx';
import { whereFindingsGo } from '../../../words/where-findings-go.ts';
import { readersText } from '../../../words/readers-text.ts';
import { shownName } from '../../../words/shown-name.ts';
import { rich, t } from '../../../words/t.ts';
import { toolTitle } from '../../../words/tool-title.ts';
import { visibleText } from '../../../words/visible-text.ts';
import { nameIn } from './deciders.ts';
import styles from './decision.module.css';
import { type DecisionCall, useArguments } from './use-arguments.ts';

interface CallFactsProps {
  chat: Chat;
  message: StoredMessage;
  decision: Decision;
  call: DecisionCall;
  /** Once it has ended, the facts are folded: what follows is the reply. */
  isOpen: boolean;
}

/** What an agent wants to call: the tool and its place, with whose account, who will see it, and what it is given. */
export function CallFacts({ isOpen, ...shown }: CallFactsProps) {
  const { title, tool } = shown.call;
  return (
    <>
      <p className={styles['question']}>
        {rich('<agent>{name}</agent> wants to use <tool>{title}</tool>', {
          name: shownName(shown.message.sender),
          // A server's own words.
          title: visibleText(toolTitle({ name: tool, title })),
          agent: (children) => <bdi>{children}</bdi>,
          tool: (children) => <bdi>{children}</bdi>,
        })}
      </p>
      {isOpen ? (
        <CallDetails {...shown} />
      ) : (
        <details className={styles['ended']}>
          <summary>{t('Details')}</summary>
          <CallDetails {...shown} />
        </details>
      )}
    </>
  );
}

function CallDetails({ chat, message, decision, call }: Omit<CallFactsProps, 'isOpen'>) {
  const { username } = useSession();
  const { host, server, tool, writes } = call;
  const asker = Array.isArray(decision.deciders) ? (decision.deciders[0] ?? '') : '';
  const isAsker = asker === username;
  const isPlain = host.startsWith('http://');
  const findings = isAsker ? whereFindingsGo(call, message.sender, username) : undefined;
  return (
    <>
      <Facts>
        <Fact name={t('Tool')}>
          <code>{visibleText(tool)}</code>
        </Fact>
        <Fact name={t('Where')}>
          <bdi>{host}</bdi> {host === server ? null : t('(as “{server}”)', { server })}
        </Fact>
        <Fact name={t('Account')}>{accountText(chat, message, call, isAsker ? null : asker)}</Fact>
        <Fact name={t('Who will see the reply')}>{readersText(call, username, (name) => nameIn(chat, name))}</Fact>
      </Facts>
      {findings === undefined ? null : (
        <p className="ui-remark ui-warn">
          <TriangleAlert aria-hidden />
          <span>{findings}</span>
        </p>
      )}
      {/* What the service's own tools do is here, and the asker can undo it (OWN-5). */}
      {server === OWN_TOOLS ? null : (
        <p className={classNames('ui-remark', writes && 'ui-warn')}>
          {writes ? <PencilLine aria-hidden /> : <Eye aria-hidden />}
          <span>
            {writes
              ? t('It may change something there. What it has done can’t be undone here.')
              : t('It only reads, says the owner of the agent.')}
          </span>
        </p>
      )}
      {isPlain ? (
        <p className="ui-remark ui-warn">
          <TriangleAlert aria-hidden />
          <span>{t('The connection isn’t encrypted: others on the way can read what is sent.')}</span>
        </p>
      ) : null}
      {isAsker ? (
        <OwnArguments message={message} call={call} />
      ) : (
        <p className="ui-about">{t('Only {name} sees what is sent there.', { name: nameIn(chat, asker) })}</p>
      )}
    </>
  );
}

/** `asker`: null if it is the reader. */
function accountText(chat: Chat, { sender }: StoredMessage, { as }: DecisionCall, asker: string | null): string {
  if (as === 'none') return t('None');
  if (as === 'asker') return asker === null ? t('Yours') : nameIn(chat, asker);
  return sender.parent_username === undefined
    ? t('That of the agent’s owner')
    : t('That of {name}, who owns the agent', { name: nameIn(chat, sender.parent_username) });
}

function OwnArguments({ message, call }: { message: StoredMessage; call: DecisionCall }) {
  const loaded = useArguments(message, call, true);
  return (
    <LoadedView loaded={loaded} label={t('Loading what is sent')}>
      {(values) =>
        values === null ? (
          <p className="ui-about">{t('What was sent is no longer kept.')}</p>
        ) : values === undefined || Object.keys(values).length === 0 ? (
          <p className="ui-about">{t('Nothing is sent beside the name of the tool.')}</p>
        ) : (
          <ArgumentsTable label={t('What is sent')} values={values} />
        )
      }
    </LoadedView>
  );
}
