/** What a socket may ask for with `?caps=a,b`, and what it changes. Without caps a socket receives everything. */
export const caps = {
  nodrafts:
    'Nothing of a reply before its `messageComplete`, and no typing: for clients that act on finished messages only.',
  patch: 'A draft that was sent already arrives as changed lines, `events.messageDraftPatch`, never as deltas.',
  focus: 'Only drafts of the timelines reported with `wsFocus` carry content; others are `events.draftActivity`.',
  ext: 'Also what changes beside messages: `conversationUpdated`, `conversationRemoved`, `messageUpdated`, `accountUpdated`, and `conversationNew` to those who were added.',
} as const;

export type CapName = keyof typeof caps;
