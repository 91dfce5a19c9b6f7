import type { CapName } from './caps.ts';
import type { EventName } from './events.ts';

export interface EventNote {
  summary: string;
  /** Only sockets that asked for it receive it. */
  cap?: CapName;
}

/** When each event comes and what a client does with it. */
export const eventNotes: Readonly<Record<EventName, EventNote>> = {
  hello: {
    summary:
      'Once, as soon as a socket is open: the account, its latest seq as `head`, and the `socket` id. If `head` is past what the client has handled, it fetches the gap with `getUpdates`.',
  },
  tick: { summary: 'About every 25 s. Some 75 s without any frame mean a dead connection.' },
  messageNew: {
    summary:
      'A message was stored, or a reply has begun (`status` `streaming`), or this is a snapshot of one: clients put it in by its `id`, and match `client_msg_id` to the optimistic copy.',
  },
  messageDelta: {
    summary: 'A piece of a reply that is being written. `offset` is the length of the whole text in bytes after it.',
  },
  messageComplete: { summary: 'A reply has ended: the final Message, with `finalized_at`.' },
  messageDraftPatch: {
    summary:
      'Changed lines of a reply: the copy at revision `base_rev`, split at newlines, gets the ops from the last to the first, `del` lines at index `at` replaced by `ins`.',
    cap: 'patch',
  },
  draftActivity: { summary: 'A reply is being written in a timeline that is out of focus.', cap: 'focus' },
  typing: {
    summary:
      'Someone, or an agent, began or ceased to type; never sent to themselves. Both ids null: the timeline #all.',
  },
  reactionAdded: { summary: 'Someone reacted to a message.' },
  reactionRemoved: { summary: 'Someone took a reaction back.' },
  conversationNew: { summary: 'The account started a conversation: to its own sockets, but not to the calling one.' },
  messageDeleted: { summary: 'Messages were deleted for everyone: clients drop these ids.' },
  messagePinned: {
    summary: 'A message was pinned or unpinned; `message_id` null: all pins were cleared.',
  },
  alert: { summary: 'Something to show for a moment, from `pushAlert` or from the service itself.' },
  cancelRun: {
    summary: 'To a bot: stop the reply that `message_id` names, or without it every reply in the conversation.',
  },
  inlineQuery: { summary: 'To a bot: suggestions are wanted, within three seconds, with `answerInlineQuery`.' },
  draftUpdated: {
    summary:
      "The account's unsent text of a conversation was stored or cleared: to its own sockets. The newest `updated_at` wins.",
  },
  conversationUpdated: {
    summary:
      'Title, description, participants or channels have changed, or, to one account alone, its mute, its read marker or its counts: only the fields that did.',
    cap: 'ext',
  },
  conversationRemoved: { summary: 'The account was removed from a conversation, or left it.', cap: 'ext' },
  messageUpdated: { summary: 'A message was edited: the Message as it is now.', cap: 'ext' },
  accountUpdated: { summary: 'An account that one shares a conversation with has changed its profile.', cap: 'ext' },
};
