import { expect, test } from 'vitest';
import { askedOf, emptyDraft, problemOf } from './ask-form.ts';

const draft = { ...emptyDraft, question: ' Ready? ', options: ['Yes', ' ', 'No '] };

test('what is asked has trimmed options with ids, and privacy only for chosen people', () => {
  expect(askedOf({ ...draft, isPrivate: true, expiresIn: '3600' }, 'id')).toEqual({
    text: 'Ready?',
    options: [
      { id: 'option_1', label: 'Yes' },
      { id: 'option_2', label: 'No' },
    ],
    deciders: 'anyone',
    expires_in: 3600,
    client_msg_id: 'id',
  });
  expect(askedOf({ ...draft, who: 'people', people: ['ann'], isPrivate: true }, 'id')).toMatchObject({
    deciders: ['ann'],
    private: true,
  });
});

test.each([
  [{ question: ' ' }, 'Write a question.'],
  [{ options: [' '] }, 'Write at least one option.'],
  [{ options: ['Yes', 'Yes '] }, 'Two options are the same. Change one of them.'],
  [{ options: ['😀'.repeat(81)] }, 'An option is too long. Shorten it.'],
  [{ who: 'people' as const }, 'Choose who decides.'],
  [{ options: ['😀'.repeat(80)] }, null],
])('%j: %s', (part, problem) => {
  expect(problemOf({ ...draft, ...part })).toBe(problem);
});
