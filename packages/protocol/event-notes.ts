import type { CapName } from './caps.ts';
import type { EventName } from './events.ts';

export interface EventNote {
  summary: string;
  /** Only sockets with this cap receive the event. */
  cap?: CapName;
}

/** When each event is sent and what a client does with it. */
export const eventNotes: Readonly<Record<EventName, EventNote>> = {
  hello: {
    summary:
      'Sent once when a socket opens: the account, its latest seq as `head`, and the `socket` id. If `head` is greater than the last seq that the client handled, it fetches the gap with `getUpdates`.',
  },
  tick: { summary: 'Sent about every 25 s. A socket without any frame for 75 s is dead.' },
  messageNew: {
    summary:
      'A message was stored, a reply has started (`status` `streaming`), or this is a snapshot of a streaming reply. Clients insert or replace it by `id`, and match `client_msg_id` to their optimistic copy.',
  },
  messageDelta: {
    summary: 'A piece of a streaming reply. `offset` is the length in bytes of the whole text including this piece.',
  },
  messagePart: {
    summary:
      'A part of a streaming reply: a new one, a changed one, or (`append`) more text of a reasoning part that the client has, which then has `text_offset` bytes. Clients insert or replace it by `part.id`, and fetch the message if an `append` does not continue their text.',
    cap: 'ext',
  },
  messageComplete: { summary: 'A reply has ended: the final Message, with `finalized_at`.' },
  messageDraftPatch: {
    summary:
      'Changed lines of a streaming reply. Split the copy at revision `base_rev` at newlines, then apply the ops from last to first: at line index `at`, replace `del` lines with `ins`.',
    cap: 'patch',
  },
  draftActivity: { summary: 'A reply is streaming in a timeline that is not in focus.', cap: 'focus' },
  typing: {
    summary:
      'A person or an agent started or stopped typing; not sent to themselves. If both ids are null, the timeline is #all.',
  },
  reactionAdded: { summary: 'An account reacted to a message.' },
  reactionRemoved: { summary: 'An account removed its reaction.' },
  conversationNew: {
    summary: 'The account started a conversation. Sent to its other sockets, not to the one that made the call.',
  },
  messageDeleted: { summary: 'Messages were deleted for everyone: clients remove these ids.' },
  messagePinned: {
    summary: 'A message was pinned or unpinned. `message_id` null: all pins were removed.',
  },
  alert: { summary: 'A short notice to display, from `pushAlert` or from the service itself.' },
  cancelRun: {
    summary: 'To a bot: stop the reply `message_id`, or, without it, every reply in the conversation.',
  },
  inlineQuery: { summary: 'To a bot: answer with suggestions within three seconds, using `answerInlineQuery`.' },
  draftUpdated: {
    summary:
      "The account's input draft of a conversation was saved or cleared. Sent to its own sockets, for a channel or thread only with the cap `ext`; the newest `updated_at` wins.",
  },
  scheduledChanged: {
    summary:
      "The account's scheduled messages or reminders in a conversation have changed: fetch them again. Sent to its own sockets.",
    cap: 'ext',
  },
  conversationUpdated: {
    summary:
      'The title, description, participants or channels have changed, or, for this account only, its mute, read marker, counts, or what setChatState and clearChat set. Contains only the fields that changed.',
    cap: 'ext',
  },
  inboxUpdated: {
    summary: "The account's inbox has a new item, or items were marked as done. Clients call `getInbox`.",
    cap: 'ext',
  },
  presence: {
    summary:
      'An account that the socket asked about with `getPresence` came online, went offline or changed its status. Not in the log: `seq` equals `prev`.',
    cap: 'ext',
  },
  conversationRemoved: { summary: 'The account was removed from a conversation, or left it.', cap: 'ext' },
  messageUpdated: {
    summary:
      'A message was edited, the results of its poll have changed, the preview of its link was added or removed, or its voice message was transcribed: the current Message.',
    cap: 'ext',
  },
  pollVoted: {
    summary: "The account's own vote in a poll has changed. Sent to its own sockets.",
    cap: 'ext',
  },
  messagesRead: {
    summary:
      "Another person has read the conversation's messages up to `position`. Not replayed: a client that was away calls `getReadPosition` for what it shows.",
    cap: 'ext',
  },
  versionsChanged: {
    summary:
      'A reply was regenerated, another version of it was chosen, or one was deleted. Clients set `versions` of the messages `ids` that they have; a single id has no versions any more.',
    cap: 'ext',
  },
  accountUpdated: {
    summary: 'An account that shares a conversation with the receiver has changed its profile.',
    cap: 'ext',
  },
  foldersUpdated: {
    summary:
      "The account's folders, in their order. The conversations of a folder that is no longer listed are in no folder.",
    cap: 'ext',
  },
  privacyUpdated: {
    summary: 'The account changed what getPrivacy answers. Sent to its own sockets.',
    cap: 'ext',
  },
  componentAction: {
    summary:
      'To a bot with `handles_actions`: a person has pressed a button of its message, or submitted a form. `action_id` is unique: a bot with several connections receives the press on each.',
    cap: 'ext',
  },
};
