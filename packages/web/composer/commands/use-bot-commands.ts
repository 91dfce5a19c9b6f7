import type { Chat } from '@parley/client/store';
import type { Actor, BotCommand } from '@parley/protocol';
import { useEffect, useMemo, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { type OfferedCommand, offeredCommands } from './bot-commands.ts';
import type { Command } from './slash-commands.ts';

type Items = readonly { readonly bot: Actor; readonly commands: readonly BotCommand[] }[];

const none: Items = [];

/** The commands of the bots of a conversation. They are fetched each time that a person begins to type a command. */
export function useBotCommands(chat: Chat, own: readonly Command[], isAsked: boolean): readonly OfferedCommand[] {
  const { client } = useSession();
  const [found, setFound] = useState<{ chatId: string; items: Items }>({ chatId: '', items: none });
  const chat_id = chat.id;
  useEffect(() => {
    if (!isAsked) return undefined;
    const way = new AbortController();
    client.call('getBotCommands', { chat_id }, { signal: way.signal }).then(
      ({ items }) => way.signal.aborted || setFound({ chatId: chat_id, items }),
      // Offline: the commands that are known stay.
      () => undefined,
    );
    return () => way.abort();
  }, [client, chat_id, isAsked]);
  const items = found.chatId === chat_id ? found.items : none;
  return useMemo(
    () => offeredCommands(items, { isGroup: chat.kind === 'group', ownNames: new Set(own.map(({ name }) => name)) }),
    [items, chat.kind, own],
  );
}
