import { ApiError } from '@parley/client';
import type { Chat } from '@parley/client/store';
import type { Participant } from '@parley/protocol';
import { MessageSquarePlus } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { isCovered } from '../../browser/covers.ts';
import { useBeginChat } from '../../chats/chat/use-begin-chat.ts';
import { useBlock } from '../../chats/people/use-block.ts';
import { useComposings } from '../../composer/composing/composing.ts';
import { useStore } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { IconButton } from '../../ui/button.tsx';
import { errorText } from '../../words/error-text.ts';
import { t } from '../../words/t.ts';

interface NewChatButtonProps {
  chat: Chat;
  /** The agent of this direct chat. */
  agent: Participant;
}

/** Opens another chat with the agent of this one, also on Ctrl+Shift+O or ⌘⇧O. */
export function NewChatButton({ chat, agent: { username } }: NewChatButtonProps) {
  const begin = useBeginChat();
  const composings = useComposings();
  const account = useCell(useStore().account(username));
  const isBlocked = useBlock(username) !== null;
  const [isBusy, setIsBusy] = useState(false);
  const mayBegin = !isBlocked && account?.is_deleted !== true;

  async function start() {
    if (isBusy || !mayBegin) return;
    setIsBusy(true);
    try {
      const id = await begin(username);
      // This chat may be the one that is still empty.
      if (id === chat.id) composings.signal('focus', { chat_id: id }, null);
    } catch (error) {
      composings.signal('note', { chat_id: chat.id }, { text: whyNot(error), isError: true });
    } finally {
      setIsBusy(false);
    }
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'o' || !event.shiftKey || event.altKey || event.ctrlKey === event.metaKey) return;
    // A dialog covers the chat, and may hold what the user typed.
    if (isCovered()) return;
    event.preventDefault();
    void start();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);

  if (!mayBegin) return null;
  return (
    <IconButton
      label={t('New chat')}
      icon={<MessageSquarePlus />}
      aria-busy={isBusy || undefined}
      onClick={() => void start()}
    />
  );
}

function whyNot(error: unknown): string {
  if (error instanceof ApiError && error.parameters['field'] === 'new')
    return t('You have as many chats with this agent as one person can have. Delete one first.');
  if (error instanceof ApiError && error.code === 'forbidden')
    return t('You can’t start new chats with this agent. Keep writing here, or ask its owner.');
  return errorText(error);
}
