import type { Chat } from '@parley/client/store';
import type { Participants } from '../use-participants.ts';
import type { Participant } from '@parley/protocol';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { asWritten } from '../../emoji/as-written.ts';
import { type Completing, completingAt, matchingPeople } from './completing.ts';
import { commandAt, matchingOffered, type OfferedCommand } from '../commands/bot-commands.ts';
import { type Command, matchingCommands } from '../commands/slash-commands.ts';
import { useBotCommands } from '../commands/use-bot-commands.ts';
import { isAgent } from '../../words/is-webhook.ts';
import { useOwnRole } from '../../chats/chat/use-own-role.ts';
import { mayMentionAll } from '../loud-mention.tsx';
import { matchingGroups, type NamedGroup } from './named-groups.ts';
import { useEmojiOptions } from './use-emoji-options.ts';
import { useInlineResults } from './use-inline-results.ts';
import { useUserGroups } from './use-user-groups.ts';

export type Option =
  | { readonly kind: 'mention'; readonly id: string; readonly person: Participant }
  | { readonly kind: 'group'; readonly id: string; readonly group: NamedGroup }
  | { readonly kind: 'emoji'; readonly id: string; readonly emoji: string; readonly name: string }
  | { readonly kind: 'command'; readonly id: string; readonly command: Command }
  | { readonly kind: 'bot-command'; readonly id: string; readonly offered: OfferedCommand; readonly isGroup: boolean }
  | { readonly kind: 'inline'; readonly id: string; readonly text: string };

/** ID of an option in the list of suggestions. */
export const optionId = (listId: string, at: number): string => `${listId}-${at}`;

export interface Completion {
  readonly completing: Completing | null;
  readonly options: readonly Option[];
  /** The index of the option that Enter chooses; -1 for none. */
  readonly active: number;
  readonly isBusy: boolean;
  /** The bot's command whose arguments are being typed. */
  readonly filling: OfferedCommand | null;
  readonly activate: (at: number) => void;
  readonly close: () => void;
}

interface CompletionInput {
  chat: Chat;
  participants: Pick<Participants, 'people' | 'shortNames' | 'mayHaveAgents'>;
  commands: readonly Command[];
  text: string;
  caret: number;
  isOff: boolean;
}

/** Suggestions for the text at the caret: people, emoji, commands, or results of a bot. */
export function useCompletion({ chat, participants, commands, text, caret, isOff }: CompletionInput): Completion {
  const { username, store } = useSession();
  const more = useCell(store.members(chat.id));
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const [active, setActive] = useState({ text: '', at: 0 });
  const found = useMemo(() => (isOff ? null : completingAt(text, caret)), [isOff, text, caret]);
  const { people, shortNames, mayHaveAgents } = participants;
  const bot = found?.kind === 'inline' ? (shortNames.get(found.bot) ?? found.bot) : null;
  const isBot = bot !== null && chat.participants.some((one) => one.username === bot && isAgent(one));
  const asked = useMemo(
    () => (found?.kind === 'inline' && isBot && bot !== null ? { bot, query: found.query } : null),
    [found, isBot, bot],
  );
  const inline = useInlineResults(chat.id, asked);
  const emojis = useEmojiOptions(found?.kind === 'emoji' ? found.query : null);
  const offered = useBotCommands(chat, commands, mayHaveAgents && found?.kind === 'command');
  const isMention = found?.kind === 'mention';
  const isGroup = chat.kind === 'group';
  const isLarge = chat.participant_count > chat.participants.length;

  useEffect(() => {
    if (isMention && isLarge && !more.isLoaded) void store.loadMembers(chat.id).catch(() => undefined);
  }, [store, chat.id, isMention, isLarge, more.isLoaded]);

  const groups = useUserGroups(isMention && isGroup);
  const mayAll = mayMentionAll(chat, useOwnRole(chat, isMention && isGroup));
  const named = useCallback(
    (query: string) =>
      isGroup
        ? matchingGroups(query, {
            groups,
            people: new Set(people.map((person) => person.username)),
            mayMentionAll: mayAll,
          })
        : [],
    [isGroup, groups, people, mayAll],
  );

  const options = useMemo((): readonly Option[] => {
    if (found === null) return [];
    switch (found.kind) {
      case 'mention':
        return [
          ...matchingPeople(people, found.query, username).map(
            (person) => ({ kind: 'mention', id: person.username, person }) as const,
          ),
          ...named(found.query).map((group) => ({ kind: 'group', id: `group ${group.name}`, group }) as const),
        ];
      case 'emoji':
        return emojis.map(({ emoji, label }) => ({ kind: 'emoji', id: emoji, emoji: asWritten(emoji), name: label }));
      case 'command':
        return [
          ...matchingCommands(commands, found.query).map(
            (command) => ({ kind: 'command', id: command.name, command }) as const,
          ),
          ...matchingOffered(offered, found.query).map(
            (one) => ({ kind: 'bot-command', id: `${one.bot.username} ${one.call}`, offered: one, isGroup }) as const,
          ),
        ];
      case 'inline':
        return inline.texts.map((result, at) => ({ kind: 'inline', id: `${at}`, text: result }));
      default:
        return found satisfies never;
    }
  }, [found, people, named, username, emojis, commands, offered, isGroup, inline.texts]);

  // Esc closes the list until the text changes.
  const isClosed = closedFor === text;
  const shown = isClosed ? [] : options;
  // A bot's results arrive while the user types: none is preselected, so Enter still sends the text.
  const first = found?.kind === 'inline' ? -1 : 0;
  const at = active.text === text ? active.at : first;
  return {
    completing: isClosed ? null : found,
    options: shown,
    active: Math.min(at, shown.length - 1),
    isBusy: !isClosed && inline.isBusy,
    filling: isClosed || isOff || found !== null ? null : commandAt(text, offered),
    activate: (next) => setActive({ text, at: next }),
    close: () => setClosedFor(text),
  };
}
