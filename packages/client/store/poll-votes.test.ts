import { expect, test } from 'vitest';
import { message, showing } from '@parley/testing/sdk/shown-store.ts';
import { settled } from '@parley/testing/sdk/fake-service.ts';

const poll = {
  question: 'Q',
  options: [{ text: 'a', votes: 1 }],
  voter_count: 1,
  is_multiple: true,
  is_anonymous: false,
};

test('POLL-7: the store fetches an unknown vote once, and follows events, also those that arrive during the fetch', async () => {
  const { socket, store, frame } = await showing([message('m1', 1, { poll }), message('m2', 2, { poll })]);
  const vote = (id: string) => store.pollVote(id).get();
  expect(vote('m1')).toBe(null);
  const loading = store.loadPollVotes(['m1', 'm2']);
  await settled();
  frame('pollVoted', { message_id: 'm2', options: [1] });
  socket.answer('getPollVotes', { items: [{ message_id: 'm1', options: [0] }] });
  await loading;
  expect([vote('m1'), vote('m2')]).toEqual([[0], [1]]);
  // Resolves without an answer: nothing is fetched.
  await store.loadPollVotes(['m1', 'm2']);
  frame('pollVoted', { message_id: 'm1', options: [] });
  frame('pollVoted', { message_id: 'unknown', options: [0] });
  expect([vote('m1'), vote('unknown')]).toEqual([[], null]);
  const voting = store.vote('m1', [2]);
  await settled();
  socket.answer('votePoll', { message_id: 'm1', options: [2] });
  await voting;
  expect(vote('m1')).toEqual([2]);
  frame('messageDeleted', { conversation_id: 'chat', ids: ['m1'] });
  expect(vote('m1')).toBe(null);
});
