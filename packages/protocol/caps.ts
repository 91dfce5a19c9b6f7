/**
 * The capabilities that a socket can request with `?caps=a,b`, and what each changes. Without caps a socket receives
 * everything.
 */
export const caps = {
  nodrafts:
    'No streaming replies before their `messageComplete`, and no typing: for clients that act on finished messages only.',
  patch: 'Further changes to a streaming reply arrive as changed lines (`events.messageDraftPatch`), never as deltas.',
  focus: 'Only streaming replies of the timeline set with `wsFocus` carry text; others are `events.draftActivity`.',
  ext: 'Also changes to things other than messages: `conversationUpdated`, `conversationRemoved`, `messageUpdated`, `versionsChanged`, `pollVoted`, `accountUpdated`, `inboxUpdated`, `presence`, `foldersUpdated`, `privacyUpdated`, `scheduledChanged`, `componentAction`, `draftUpdated` of channels and threads, `conversationNew` for newly added participants, and, where replies are sent as they grow, `messagePart` and `messagesRead`.',
} as const;

export type CapName = keyof typeof caps;
