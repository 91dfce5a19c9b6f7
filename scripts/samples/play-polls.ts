import type { Cast } from './play-session.ts';

export async function polls({ world, recorder, ann, bob, chat_id }: Cast): Promise<void> {
  const poll = { question: 'Which train shall we take?', options: ['At 7', 'At 9'], closes_in: 86_400 };
  const { id: message_id } = await ann.api.sendMessage({ chat_id, text: '', poll });
  await recorder.call(bob.token, 'votePoll', { message_id, options: [1] });
  await recorder.call(bob.token, 'getPollVotes', { message_ids: [message_id] });
  await recorder.call(ann.token, 'getPollVoters', { message_id, option: 1 });
  await recorder.refuse('votePoll', { token: bob.token, request: { message_id, options: [0, 1] } });
  await recorder.call(ann.token, 'closePoll', { message_id });
  await world.settle();
}
