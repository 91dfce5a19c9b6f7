import type { Block } from '@parley/markdown';
import { useMemo } from 'react';
import { LongMarkdown } from '../../markdown/markdown.tsx';
import { type ShownMessage, ShownMessageContext } from '../../markdown/views/shown-message.ts';
import { useSession } from '../../session/session.ts';
import type { Attachment } from '../attachment.ts';
import type { ViewedMessage } from '../open-file.ts';
import styles from './documents.module.css';

interface FormattedTextProps {
  message: ViewedMessage;
  file: Attachment;
  blocks: readonly Block[];
}

/** The text of a file as the app shows that of messages. Nothing in a file acts. */
export function FormattedText({ message: { conversation_id, sender }, file: { id }, blocks }: FormattedTextProps) {
  const { username: me } = useSession();
  const shown = useMemo(
    (): ShownMessage => ({
      chatId: conversation_id,
      // Footnotes of the message itself have the id of the message.
      messageId: `file-${id}`,
      canAct: false,
      sender,
      me,
      nameOf: () => undefined,
    }),
    [conversation_id, id, sender, me],
  );
  return (
    <ShownMessageContext value={shown}>
      <div className={styles['prose']}>
        <LongMarkdown blocks={blocks} />
      </div>
    </ShownMessageContext>
  );
}
