import { type RefObject, useRef, useState } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { errorText } from '../../words/error-text.ts';
import type { PaletteItem } from './palette-items.ts';
import { documentKind } from '../../files/document-kind.ts';
import { useOpenFile } from '../../files/open-file.ts';
import { fileOf } from './use-message-search.ts';
import { hitWords } from './snippet.ts';
import { useSoughtWords } from './sought-words.ts';
import { chatRefusal } from '../../words/chat-refusal.ts';
import { t } from '../../words/t.ts';

interface OpenItemInput {
  /** Limits the search to the messages of an account. */
  onSender: (username: string) => void;
  onMore: () => Promise<void>;
  onClose: () => void;
}

interface OpenItem {
  readonly open: (item: PaletteItem) => void;
  readonly problem: string | null;
  readonly clearProblem: () => void;
  /** Whether a conversation was opened; its composer then gets the focus. */
  readonly hasOpenedChat: RefObject<boolean>;
}

/** Opens the row that the user chooses: a conversation, a message, a sender's messages or more results; or runs its command. */
export function useOpenItem({ onSender, onMore, onClose }: OpenItemInput): OpenItem {
  const navigate = useNavigate();
  const { client, store } = useSession();
  const soughtWords = useSoughtWords();
  const openFile = useOpenFile();
  const [problem, setProblem] = useState<string | null>(null);
  const hasOpenedChat = useRef(false);

  async function openItem(item: PaletteItem): Promise<void> {
    switch (item.kind) {
      case 'chat':
        hasOpenedChat.current = true;
        navigate(chatRoute(item.chat.id));
        return onClose();
      case 'person': {
        const chat = await client.call('startChat', { username: item.person.username });
        store.putChat(chat);
        hasOpenedChat.current = true;
        navigate(chatRoute(chat.id));
        return onClose();
      }
      case 'message': {
        const { message } = item.hit;
        const { id, conversation_id, channel_id, thread_root_id } = message;
        const file = fileOf(item.hit);
        soughtWords.set(id, file ? [] : hitWords(item.hit.snippet));
        navigate(chatRoute(conversation_id, { channelId: channel_id, threadRootId: thread_root_id, messageId: id }));
        onClose();
        if (file && documentKind(file) !== null) openFile(message, file);
        return undefined;
      }
      case 'sender':
        return onSender(item.person.username);
      case 'command':
        hasOpenedChat.current = item.command.opensChat === true;
        await item.command.run();
        return onClose();
      case 'more':
        return onMore();
      default:
        return item satisfies never;
    }
  }

  return {
    open: (item) =>
      void openItem(item).catch((error: unknown) =>
        setProblem(
          item.kind === 'command'
            ? errorText(error)
            : item.kind === 'person'
              ? chatRefusal(error, item.person.kind === 'agent')
              : t('Couldn’t open this conversation. Try again.'),
        ),
      ),
    problem,
    clearProblem: () => setProblem(null),
    hasOpenedChat,
  };
}
