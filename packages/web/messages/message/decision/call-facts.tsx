import type { Chat, StoredMessage } from '@parley/client/store';
import type { Decision } from '@parley/protocol';
import { Eye, PencilLine, TriangleAlert } from 'lucide-react';
import { classNames } from '../../../browser/class-names.ts';
import type { ReactNode } from 'react';
import { useSession } from '../../../session/session.ts';
import { LoadedView } from '../../../ui/states/loaded-view.tsx';
import { listOf } from '../../../words/list-of.ts';
import { shownName } from '../../../words/shown-name.ts';
import { rich, t } from '../../../words/t.ts';
import { ArgumentsTable } from './arguments-table.tsx';
import { nameIn } from './deciders.ts';
import styles from './decision.module.css';
import { type DecisionCall, useArguments } from './use-arguments.ts';
import { visibleText } from './visible-text.ts';

interface CallFactsProps {
  chat: Chat;
  message: StoredMessage;
  decision: Decision;
  call: DecisionCall;
}

/** What an agent wants to call: the tool and its place, with whose account, who will see it, and what it is given. */
export function CallFacts({ chat, message, decision, call }: CallFactsProps) {
  const { username } = useSession();
  const { host, server, tool, title, writes } = call;
  const asker = Array.isArray(decision.deciders) ? (decision.deciders[0] ?? '') : '';
  const isAsker = asker === username;
  const isPlain = host.startsWith('http://');
  return (
    <>
      <p className={styles['question']}>
        {rich('<agent>{name}</agent> wants to use <tool>{title}</tool>', {
          name: shownName(message.sender),
          // The server's own words.
          title: visibleText(title ?? tool),
          agent: (children) => <bdi>{children}</bdi>,
          tool: (children) => <bdi>{children}</bdi>,
        })}
      </p>
      <dl className={styles['facts']}>
        <Fact name={t('Tool')}>
          <code>{visibleText(tool)}</code>
        </Fact>
        <Fact name={t('Where')}>
          <bdi>{host}</bdi> {t('(as “{server}”)', { server })}
        </Fact>
        <Fact name={t('Account')}>{accountText(chat, message, call, isAsker ? null : asker)}</Fact>
        <Fact name={t('Who will see the reply')}>{readersText(chat, call, username)}</Fact>
      </dl>
      <p className={classNames('ui-remark', writes && 'ui-warn')}>
        {writes ? <PencilLine aria-hidden /> : <Eye aria-hidden />}
        <span>
          {writes
            ? t('It may change something there. What it has done can’t be undone here.')
            : t('It only reads, says the owner of the agent.')}
        </span>
      </p>
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

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="ui-soft">{name}</dt>
    <dd className="ui-break">{children}</dd>
  </div>
);

/** `asker`: null if it is the reader. */
function accountText(chat: Chat, { sender }: StoredMessage, { as }: DecisionCall, asker: string | null): string {
  if (as === 'none') return t('None');
  if (as === 'asker') return asker === null ? t('Yours') : nameIn(chat, asker);
  return sender.parent_username === undefined
    ? t('That of the agent’s owner')
    : t('That of {name}, who owns the agent', { name: nameIn(chat, sender.parent_username) });
}

/** Maximum names that are listed. */
const NAMED = 5;

function readersText(
  chat: Chat,
  { reads_to: readers, readers: count = readers.length }: DecisionCall,
  me: string,
): string {
  const others = readers.filter((username) => username !== me);
  if (others.length === 0) return t('Only you');
  const named = others.slice(0, NAMED).map((username) => nameIn(chat, username));
  const more = count - (readers.length - others.length) - named.length;
  return listOf([
    ...(others.length < readers.length ? [t('You')] : []),
    ...named,
    ...(more > 0 ? [t('{count, number} more', { count: more })] : []),
  ]);
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
