import type { Decision, InboxItem, Message } from '@parley/protocol';
import type { ClientEventName, ClientEvents } from '../event-names.ts';
import type { Arrivals } from './arrivals.ts';
import type { Attention } from './attention.ts';
import { afterDecision, withoutNeeds } from './needs.ts';
import type { Refresher } from './refresher.ts';
import type { StoreState } from './state.ts';
import { timelineIdOf } from './timeline-id.ts';
import type { Timelines } from './timelines.ts';
import { hasRow } from './versions.ts';

const MAX_ALERTS = 20;

export interface RuleParts {
  state: StoreState;
  arrivals: Arrivals;
  attention: Attention;
  refresher: Refresher;
  timelines: Timelines;
}

type Rule<Name extends ClientEventName> = (
  parts: RuleParts,
  params: ClientEvents[Name],
  isReplay: boolean,
  isWhole?: boolean,
) => void;

const nothing = (): void => {};
let alerts = 0;

/** Runs `work` now, and again after each fetch in progress, because the fetch may return an older state. */
function again({ state: { journal } }: RuleParts, work: () => void): void {
  journal.add(work);
  work();
}

/** If the newest version of a reply is removed, its row is at the one before it, which was perhaps never loaded. */
function showVersionsLeft({ state: { messages }, refresher }: RuleParts, removed: readonly string[]): void {
  for (const id of removed) {
    const message = messages.get(id);
    if (!message?.versions || !hasRow(message)) continue;
    const left = message.versions.ids.findLast((one) => !removed.includes(one));
    if (left !== undefined) refresher.message(left);
  }
}

/** How the store handles each event. Total: a new event does not compile without a rule. */
export const eventRules: { readonly [Name in ClientEventName]: Rule<Name> } = {
  messageNew: arrive,
  messageStreaming(parts, message, isReplay, isWhole) {
    const known = isWhole ? undefined : parts.state.messages.get(message.id);
    // Only the text and the parts changed. Keep the stored reactions, sender and versions: the event has those of the
    // last snapshot.
    const { versions: _versions, ...rest } = message;
    const { reactions, sender, versions } = known ?? message;
    arrive(parts, { ...rest, reactions, sender, ...(versions && { versions }) }, isReplay);
  },
  messageComplete: arrive,
  messageUpdated(parts, message) {
    again(parts, () => {
      // A client that does not have the message ignores the edit (EDIT-5).
      if (parts.state.messages.get(message.id)) parts.arrivals.show(message);
    });
    parts.state.chats.touch(message.conversation_id);
    noteDecision(parts, message, message.decision);
    invalidateInboxIf(parts, ({ message_id }) => message_id === message.id);
  },
  versionsChanged(parts, change) {
    again(parts, () => parts.state.setVersions(change));
    invalidateInboxIf(parts, ({ message_id }) => change.ids.includes(message_id));
  },
  pollVoted: (parts, vote) => again(parts, () => parts.state.messages.setVote(vote)),
  decisionUpdated(parts, { conversation_id, message_id: id, decision }) {
    again(parts, () => parts.state.messages.change(id, (message) => ({ ...message, decision })));
    noteDecision(parts, { conversation_id, id }, decision);
  },
  messageDeleted(parts, { conversation_id, ids }, isReplay) {
    again(parts, () => parts.state.chats.change(conversation_id, (chat) => withoutNeeds(chat, ids)));
    parts.arrivals.uncount(conversation_id, ids, isReplay);
    showVersionsLeft(parts, ids);
    again(parts, () => parts.arrivals.hide(ids));
    parts.state.inbox.update((item) => (ids.includes(item.message_id) ? null : item));
    parts.state.drafts.forget(({ thread_root_id }) => thread_root_id !== null && ids.includes(thread_root_id));
  },
  draftActivity(parts, activity, isReplay) {
    again(parts, () => parts.arrivals.showPreview(activity));
    const preview = parts.arrivals.preview(activity);
    if (preview) parts.arrivals.count(preview, isReplay);
  },
  reactionAdded: (parts, reaction) => again(parts, () => parts.state.messages.addReaction(reaction)),
  reactionRemoved: (parts, reaction) => again(parts, () => parts.state.messages.removeReaction(reaction)),
  typing({ state: { people } }, { actor, is_typing, ...place }) {
    people.setTyping(timelineIdOf(place), actor, is_typing);
  },
  messagePinned({ state: { chats } }, { conversation_id, message_id, pinned }) {
    chats.touch(conversation_id);
    chats.change(conversation_id, (chat) => {
      const others = message_id === null ? [] : chat.pinned_message_ids.filter((id) => id !== message_id);
      return { ...chat, pinned_message_ids: pinned && message_id !== null ? [message_id, ...others] : others };
    });
  },
  conversationNew({ state: { chats }, refresher, timelines }, conversation) {
    chats.touch(conversation.id);
    if (!chats.get(conversation.id) && chats.put(conversation)) timelines.retry(conversation.id);
    // If many were added together, the event contains the conversation as one of them sees it (EXT-4).
    refresher.chat(conversation.id);
  },
  conversationUpdated(parts, change, isReplay) {
    const { state, attention, refresher } = parts;
    const { conversation_id: chatId, channels } = change;
    const before = state.chats.get(chatId);
    state.chats.touch(chatId);
    const isOverlapping = change.unread_count !== undefined && state.chats.isJustCounted(chatId);
    // A marker without counts has many messages after it (EXT-3).
    const isUncounted = change.last_read_position !== undefined && change.unread_count === undefined;
    if (!before || isReplay || isOverlapping || isUncounted) refresher.chat(chatId);
    state.chats.update(change);
    if (change.cleared_position) again(parts, () => state.clear(chatId));
    if (change.unread_count !== undefined) attention.discount(chatId);
    const { last_read_position: readPosition } = change;
    if (readPosition !== undefined) state.readInbox(chatId, readPosition);
    if (change.participants || change.participant_count !== undefined) state.dropMembers(chatId);
    if (!before || !channels) return;
    const ids = new Set(channels.map(({ id }) => id));
    if (before.channels.every(({ id }) => ids.has(id))) return;
    state.inbox.invalidate();
    // The messages of a removed channel are removed too (EXT-2).
    const isGone = (channelId: string | null): boolean => channelId !== null && !ids.has(channelId);
    state.windows.close((key) => key.chat_id === chatId && isGone(key.channel_id));
    state.removeMessages((message) => message.conversation_id === chatId && isGone(message.channel_id));
    state.drafts.forget((key) => key.chat_id === chatId && isGone(key.channel_id));
    refresher.chat(chatId);
  },
  conversationRemoved: (parts, { conversation_id }) => again(parts, () => parts.state.removeChat(conversation_id)),
  accountUpdated(parts, account) {
    again(parts, () => {
      parts.state.people.see(account);
      parts.state.messages.rename(account);
      parts.state.chats.rename(account);
    });
  },
  foldersUpdated: (parts, { folders }) => again(parts, () => parts.state.setFolders(folders)),
  inboxUpdated: ({ state }) => state.inbox.invalidate(),
  // A person sees of others what that person shares.
  privacyUpdated({ state }, privacy) {
    state.privacy.receive(privacy);
    state.reads.reload();
    state.presence.resume();
  },
  notesChanged: nothing,
  agentSourcesChanged: nothing,
  messagesRead: ({ state }, params) => state.reads.receive(params),
  presence: ({ state }, presence) => state.presence.receive(presence),
  draftUpdated: ({ state }, params) => state.drafts.receive(params),
  alert({ state }, alert) {
    const shown = [...state.alerts.get(''), { ...alert, id: (alerts += 1) }];
    state.alerts.set('', shown.slice(-MAX_ALERTS));
  },
  scheduledChanged: ({ state }) => state.scheduled.changed(),
  cancelRun: nothing,
  inlineQuery: nothing,
  componentAction: nothing,
  // The loader handles it; the inbox may have changed in the gap.
  reload: ({ state }) => state.inbox.invalidate(),
  changeRefused: ({ refresher }, { chat_id, change }) => change.name === 'markRead' && refresher.chat(chat_id),
  sent(parts, { message }) {
    if (!message) return;
    parts.state.sender = message.sender.username;
    arrive(parts, message, false);
  },
};

function invalidateInboxIf({ state: { inbox } }: RuleParts, isMeant: (item: InboxItem) => boolean): void {
  if (inbox.cell.get().items.some(isMeant)) inbox.invalidate();
}

function arrive(parts: RuleParts, message: ClientEvents['messageNew'], isReplay: boolean): void {
  if (parts.state.isCleared(message)) return;
  again(parts, () => parts.arrivals.show(message));
  parts.arrivals.count(message, isReplay);
  noteDecision(parts, message, message.decision);
}

/** Whether the decision needs the account, in its conversation and in the inbox (DECIDE-10). */
function noteDecision(
  parts: RuleParts,
  { conversation_id, id }: Pick<Message, 'conversation_id' | 'id'>,
  decision: Decision | undefined,
): void {
  if (!decision) return;
  const { state, refresher } = parts;
  again(parts, () =>
    state.chats.change(conversation_id, (chat) => {
      const next = afterDecision(chat, { id, decision }, state.me.get('')?.username ?? '');
      if (!next) refresher.chat(conversation_id);
      return next ?? chat;
    }),
  );
  state.inbox.invalidate();
}
