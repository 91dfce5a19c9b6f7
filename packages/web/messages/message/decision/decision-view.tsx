// A decision below or in place of a message's text. May import: what messages/message may.
import type { Chat, StoredMessage } from '@parley/client/store';
import type { Decision } from '@parley/protocol';
import { lazy, Suspense } from 'react';
import { askedByService } from '../../../words/decision-words.ts';
import { MessageText } from '../message-text.tsx';

const DecisionCard = lazy(async () => import('./decision-card.tsx'));

interface DecisionViewProps {
  chat: Chat;
  message: StoredMessage;
  decision: Decision;
}

/** What is asked, and the card on which people decide. */
export function DecisionView({ chat, message, decision }: DecisionViewProps) {
  const isWorded = askedByService({ sender: message.sender, decision }) !== undefined;
  return (
    <>
      {isWorded ? null : <MessageText chat={chat} message={message} />}
      <Suspense fallback={null}>
        <DecisionCard chat={chat} message={message} decision={decision} />
      </Suspense>
    </>
  );
}
