import type { Cast } from './play-session.ts';

export async function decisions({ world, recorder, ann, bob, chat_id }: Cast): Promise<void> {
  const options = [
    { id: 'book', label: 'Book it', style: 'primary' as const },
    { id: 'wait', label: 'Wait for another offer' },
  ];
  const asked = await recorder.call(ann.token, 'askDecision', {
    chat_id,
    text: 'The hotel is 240 € for two nights. Shall I book it?',
    options,
    deciders: ['bob'],
    expires_in: 86_400,
  });
  const decision_id = asked.decision?.id ?? '';
  await recorder.call(bob.token, 'getDecisions', { state: 'open', chat_id });
  await recorder.call(bob.token, 'decide', { decision_id, option: 'book' });
  await recorder.refuse('decide', { token: bob.token, request: { decision_id, option: 'wait' } });
  const form = [{ key: 'seats', label: 'Seats', type: 'number' as const, required: true }];
  const { id } = await ann.api.askDecision({ chat_id, text: 'How many seats do we need?', form });
  await recorder.call(ann.token, 'withdrawDecision', { decision_id: id });
  await world.settle();
}
