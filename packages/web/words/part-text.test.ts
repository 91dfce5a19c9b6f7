import { type PartCause, unreadReasons } from '@parley/protocol';
import { expect, test } from 'vitest';
import { partText } from './part-text.ts';

const told = (cause: PartCause) => partText({ text: 'in English', cause });
const one = { names: ['a.pdf'], count: 1 };

test.each<[PartCause, string]>([
  [
    { kind: 'files_unread', reasons: [{ reason: 'locked', ...one }] },
    'Not read: “a.pdf”. Protected by a password. Send a copy without one.',
  ],
  [
    {
      kind: 'files_unread',
      reasons: [
        { reason: 'too_many', names: ['a.png', 'b.png'], count: 5 },
        { reason: 'gone', ...one },
      ],
    },
    'Not read: “a.png”, “b.png”, and 3 more. An agent reads at most 10 photos and 20 files at once. Ask about fewer.\n' +
      'Not read: “a.pdf”. No longer available.',
  ],
  [
    { kind: 'files_refused', ...one },
    'This model didn’t take “a.pdf”. Choose a model that reads images and files, or describe what is in them.',
  ],
  [
    { kind: 'messages_left_out', sent: 1, has_others: true },
    'Only the last message was sent to the model. Earlier ones no longer fit.',
  ],
  [
    { kind: 'messages_left_out', sent: 40, summarized: 1, has_others: false },
    'Only the last 40 messages were sent to the model. An earlier one was summarized for it.',
  ],
  [
    { kind: 'messages_left_out', sent: 40, summarized: 1_200, has_others: true },
    'Only the last 40 messages were sent to the model. 1,200 earlier ones were summarized for it. The others no longer fit.',
  ],
  [
    { kind: 'thinking_refused' },
    'This model doesn’t think before it answers, as the agent’s settings ask it to. Choose another model, or turn thinking off.',
  ],
  [
    { kind: 'tools_refused', names: ['sky_look'], count: 2 },
    'This model didn’t take the tools “sky_look” and 1 more, so it answered without them.',
  ],
  [{ kind: 'tools_refused' }, 'This model can’t use tools, so it answered without them. Choose another model.'],
  [
    { kind: 'search_refused' },
    'This model can’t search the web, so it answered without. Choose another model, or turn web search off.',
  ],
  [{ kind: 'parts_left_out' }, 'The rest of what the model thought and looked up was too long to keep.'],
  [{ kind: 'summarizing' }, 'Reading earlier messages …'],
])('WEB-430: the notice about %j', (cause, text) => {
  expect(told(cause)).toBe(text);
});

test('WEB-430: each reason why a file was not read has words of its own', () => {
  const texts = unreadReasons.map((reason) => told({ kind: 'files_unread', reasons: [{ reason, ...one }] }));
  expect(new Set(texts).size).toBe(unreadReasons.length);
  for (const text of texts) expect(text).toMatch(/^Not read: “a\.pdf”\. /);
});

test('WEB-430: a notice of a bot, and one about a cause that the app does not know, keep their text', () => {
  expect(partText({ text: 'Two pages were left out.' })).toBe('Two pages were left out.');
  // From a newer service.
  const unknown = { kind: 'files_unread', reasons: [{ reason: 'cursed', ...one }] };
  for (const cause of [{ kind: 'moon_full' }, unknown]) expect(told(cause as unknown as PartCause)).toBe('in English');
});
