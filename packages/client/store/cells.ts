import type { Actor } from '@parley/protocol';
import type { Cell } from '../cell.ts';
import type { TimelineKey } from '../client.ts';
import type { StoreParts } from './parts.ts';
import type { ThreadSummary } from './store.ts';
import { timelineId } from './timeline-id.ts';

/** What a store shows. */
export function cellsOf({ state, timelines, members }: StoreParts) {
  const { messages, chats, people } = state;
  /** By the cell of their root. */
  const threads = new WeakMap<object, Cell<ThreadSummary | null>>();
  return {
    me: state.me.cell(''),
    chats: chats.list,
    chat: (chatId: string) => chats.family.cell(chatId),
    timeline: (key: TimelineKey) => timelines.get(key),
    message: (idOrKey: string) => messages.cell(idOrKey),
    thread(rootId: string): Cell<ThreadSummary | null> {
      const root = messages.cell(rootId);
      const cell = threads.get(root) ?? { get: () => root.get()?.thread ?? null, subscribe: root.subscribe };
      threads.set(root, cell);
      return cell;
    },
    draft: (key: TimelineKey) => state.drafts.family.cell(timelineId(key)),
    typing: (key: TimelineKey): Cell<readonly Actor[]> => people.typing.cell(timelineId(key)),
    members: (chatId: string) => members.cell(chatId),
    pollVote: (messageId: string) => messages.votes.cell(messages.idOf(messageId)),
    readPosition: (chatId: string) => state.reads.cell(chatId),
    account: (username: string) => people.accounts.cell(username),
    alerts: state.alerts.cell(''),
    folders: state.folders.cell(''),
    scheduled: state.scheduled.family.cell(''),
    unreadTotal: chats.unreadTotal,
    needsTotal: chats.needsTotal,
    inbox: state.inbox.cell,
    presence: (username: string) => state.presence.cell(username),
    customEmoji: state.emoji.list,
    emoji: (name: string) => state.emoji.cell(name),
    privacy: state.privacy.cell,
  };
}
