import type { Chat } from '@parley/client/store';
import { expect, test } from 'vitest';
import { absentAgentsNote } from './absent-agents.ts';

const participants = ['ann', 'ann:helper'].map((username) => ({
  username,
  kind: username.includes(':') ? ('agent' as const) : ('human' as const),
  display_name: username,
  role: 'member' as const,
}));
const group: Chat = {
  id: 'chat',
  kind: 'group',
  visibility: 'private',
  posting: 'everyone',
  title: 'Plans',
  participants,
  participant_count: 2,
  people_count: 1,
  channels: [],
  pinned_message_ids: [],
  is_muted: false,
  needs_you: 0,
  open_decisions: [],
  unread_count: 0,
  unread_mentions: 0,
  last_read_message_id: null,
  last_read_position: 0,
  last_message_id: null,
  description: '',
  avatar_url: null,
  created_at: '',
  updated_at: '',
};

test.each([
  ['hi @ann:helper and @bob', group, null],
  ['`@ann:other` is an agent', group, null],
  [
    'hi @ann:other!',
    group,
    '@ann:other isn’t in this chat, so it doesn’t see your message. You can add your agents in the group’s details.',
  ],
  [
    '- @ann:other\n- @bob:critic, @bob:critic',
    { ...group, kind: 'direct' as const },
    '@ann:other and @bob:critic aren’t in this chat, so they don’t see your message.',
  ],
  ['hi @ann:other', { ...group, participant_count: 60 }, null],
])('%j', (text, chat, note) => {
  expect(absentAgentsNote(text, chat)).toBe(note);
});
