import type { StoredMessage } from '@parley/client/store';
import { CircleSlash, Waypoints } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useNamesOf } from '../../chats/people/use-names-of.ts';
import { useStore } from '../../session/session.ts';
import { useMessageRow } from '../../session/use-message-row.ts';
import { leftOutText } from '../../words/left-out-text.ts';
import { firstOf } from '../../words/list-of.ts';
import { shownName } from '../../words/shown-name.ts';
import { isAskedBy } from './chain.ts';
import styles from './chain.module.css';
import { t } from '../../words/t.ts';

const ChainDialog = lazy(async () => import('./chain-dialog.tsx'));

/** Maximum agents that a line names. */
const NAMED = 3;
const none: readonly string[] = [];

/** Below a reply of an agent: which agents asked it, which it asked, and why others stay silent (WEB-545, WEB-547). */
export default function ChainLine({ message }: { message: StoredMessage }) {
  const store = useStore();
  const [isOpen, setIsOpen] = useState(false);
  const { reply_to_id: quotedId, left_out: leftOut, dispatch } = message;
  const asker = useMessageRow(quotedId ?? '');
  useEffect(() => {
    if (quotedId !== null && !asker) void store.loadMessages([quotedId]).catch(() => undefined);
  }, [store, quotedId, asker]);
  const isInChain = asker?.sender.kind === 'agent' && isAskedBy(message, asker);
  const asked = useNamesOf(dispatch.slice(0, NAMED));
  const left = useNamesOf(leftOut?.agents.slice(0, NAMED) ?? none);
  const texts = [
    isInChain ? t('Asked by {name}', { name: shownName(asker.sender) }) : '',
    dispatch.length > 0 ? t('Asked {names}', { names: firstOf(asked, NAMED, dispatch.length) }) : '',
  ].filter((text) => text !== '');
  return (
    <>
      {texts.length === 0 ? null : (
        <button type="button" className={styles['line']} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
          <Waypoints aria-hidden />
          {texts.map((text) => (
            <span key={text} className="ui-cut">
              {text}
            </span>
          ))}
        </button>
      )}
      {leftOut ? (
        <p className="ui-remark" data-left-out={leftOut.limit}>
          <CircleSlash aria-hidden />
          <span>{leftOutText(leftOut.limit, firstOf(left, NAMED, leftOut.count))}</span>
        </p>
      ) : null}
      {isOpen ? (
        <Suspense fallback={null}>
          <ChainDialog message={message} onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
