import type { Chat } from '@parley/client/store';
import { useMemo } from 'react';
import { isManager } from '../../chats/chat/roles.ts';
import { useSession } from '../../session/session.ts';
import { isAgent } from '../../words/is-webhook.ts';
import { type Command, commandsFor, operationOf } from './slash-commands.ts';

/** The commands that the user can run in this conversation. */
export function useCommands(chat: Chat): readonly Command[] {
  const { username, may } = useSession();
  return useMemo(
    () =>
      commandsFor({
        isGroup: chat.kind === 'group',
        isManager: isManager(chat, username),
        isMuted: chat.is_muted,
        hasAgents: chat.participants.some(isAgent),
      }).filter(({ name }) => may(operationOf[name])),
    [chat, username, may],
  );
}
