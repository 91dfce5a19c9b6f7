import type { Chat, StoredMessage } from '@parley/client/store';
import { useCallback, useMemo, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useSession } from '../../session/session.ts';
import { writtenText } from '../../words/written-text.ts';
import { isWebhook } from '../../words/is-webhook.ts';
import { shownName } from '../../words/shown-name.ts';
import { LiveDocument } from '../../markdown/live/live-document.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { type ShownMessage, ShownMessageContext } from '../../markdown/views/shown-message.ts';
import { isFewEmoji } from '../../emoji/few-emoji.ts';
import { FinishNote } from './finish-note.tsx';
import { isWaiting, WaitingNote } from './waiting-note.tsx';
import { useParts } from './parts/use-parts.tsx';
import styles from './message-text.module.css';
import { useCellByFrame } from '../../session/use-cell-by-frame.ts';
import { isAgainst } from '../../words/text-direction.ts';
import { Dots, WritingDots } from './writing-dots.tsx';
import { t } from '../../words/t.ts';

/** The text of a message and the parts in it. A streaming reply renders at most once per frame. */
export function MessageText({ chat, message: row }: { chat: Chat; message: StoredMessage }) {
  const { store } = useSession();
  const cell = store.message(row.key);
  const message = useCellByFrame(cell) ?? row;
  const { status } = message;
  const content = writtenText(message);
  const isLive = status === 'streaming';
  const [document] = useState(() => new LiveDocument());
  const [times, setTimes] = useState(1);
  const { blocks, starts, isCut } = useMemo(
    () => ({ blocks: document.read(content, isLive, times), starts: document.starts, isCut: document.isCut }),
    [document, content, isLive, times],
  );
  const showMore = useCallback(() => setTimes((former) => former + 1), []);
  const { between, sources, isAtWork } = useParts(message, starts);
  const hasDots = isLive && !isAtWork;
  const dots = useMemo(() => (hasDots ? <WritingDots cell={cell} /> : null), [cell, hasDots]);
  const shown = useShown(chat, message);
  const isThinking = isLive && content.trim() === '' && between.size === 0;
  return (
    <ShownMessageContext value={shown}>
      {isThinking ? (
        <p className="ui-absent">
          {t('is thinking')}
          <Dots isMoving />
        </p>
      ) : null}
      {(blocks.length > 0 && !isThinking) || between.size > 0 || sources ? (
        <div
          className={classNames(
            'ui-shrink',
            message.is_preview && styles['preview'],
            !isLive && !message.parts && isFewEmoji(content) && styles['emoji'],
          )}
          aria-busy={isLive || undefined}
          data-against={isAgainst(content) || undefined}
          data-text
        >
          {isThinking ? null : (
            <Markdown blocks={blocks} tail={dots} between={between} onMore={isCut ? showMore : undefined} />
          )}
          {sources}
        </div>
      ) : null}
      {isWaiting(message) ? <WaitingNote chat={chat} message={message} /> : <FinishNote message={message} />}
    </ShownMessageContext>
  );
}

/** Returns the same object until a part of it changes, so that finished blocks do not render again. */
function useShown(chat: Chat, message: StoredMessage): ShownMessage {
  const { username: me } = useSession();
  const { id, sender, status, outbox, is_preview: isPreview } = message;
  const { participants } = chat;
  const names = useMemo(
    () =>
      JSON.stringify(
        [
          message.mentions.map((name) => [name, null]),
          participants.map((one) => [one.username, shownName(one)]),
        ].flat(),
      ),
    [participants, message.mentions],
  );
  // Nothing stands behind a webhook that could answer.
  const canAct = sender.kind === 'agent' && !isWebhook(sender) && status !== 'streaming' && !outbox && !isPreview;
  const groups = message.mentioned_groups?.join(' ') ?? '';
  const isForMe = groups !== '' && message.mentions.includes(me);
  return useMemo(() => {
    const known = new Map(JSON.parse(names) as [string, string | null][]); // as written above
    const named = new Set(groups === '' ? [] : groups.split(' '));
    return {
      chatId: chat.id,
      messageId: id,
      canAct,
      sender,
      me,
      nameOf: (username: string) => known.get(username),
      isGroup: (name: string) => named.has(name),
      isForMe,
    };
  }, [chat.id, id, canAct, sender, me, names, groups, isForMe]);
}
