import type { Actor, AlertCause } from '@parley/protocol';
import { expect, test } from 'vitest';
import { alertText } from './alert-text.ts';

const actor = (display_name: string): Actor => ({ kind: 'agent', username: `ann:${display_name}`, display_name });
const told = (cause: AlertCause, from?: Actor) =>
  alertText({ title: 'a title', text: 'in English', from, cause }, true);

const leftOut = { kind: 'agents_left_out' as const, agents: [actor('one'), actor('two')], count: 5 };
const budget = { kind: 'budget_nearly_used', used: 4_000, tokens: 5_000 } as const;

test.each<[AlertCause, string, RegExp]>([
  [
    { kind: 'scheduled_failed', code: 'forbidden', message: 'you left' },
    'Scheduled message not sent',
    /^You left\. You find/,
  ],
  [
    { kind: 'schedule_failed', state: 'paused', code: 'forbidden', message: 'you left' },
    'A schedule was paused',
    /^You left\. You find/,
  ],
  [{ kind: 'reminder_failed', code: 'conflict', message: 'it is full' }, 'A reminder couldn’t be sent', /^It is full/],
  [{ ...leftOut, limit: 'waiting' }, 'a title', /^one · ann, two · ann, and 3 more won’t answer this: too many/],
  [{ ...leftOut, limit: 'message', per_message: 3, in_all: 4 }, 'a title', /at most 3 agents, and at most 4 together/],
  [{ ...leftOut, limit: 'unprompted', per_message: 3, in_all: 4 }, 'a title', /by themselves at most 4 an hour/],
  [{ kind: 'stop_refused' }, 'bot · ann', /^You may not stop bot · ann here\.$/],
  [
    { kind: 'webhook_disabled', host: 'a.example', failure: 'HTTP 500' },
    'A webhook was disabled',
    /a\.example.*HTTP 500/,
  ],
  [
    {
      kind: 'webhook_disabled',
      host: 'a.example',
      failure: 'in English',
      failure_cause: { kind: 'timeout', seconds: 10 },
    },
    'A webhook was disabled',
    /a\.example.*No answer within 10 seconds\.$/,
  ],
  [{ ...budget, budget: 'agent' }, 'bot · ann', /4,000 of the 5,000 tokens.*At the limit it stops answering until/],
  [{ ...budget, budget: 'agent', tokens: 4_000 }, 'bot · ann', /It answers again when/],
  [{ ...budget, budget: 'group', group: 'Plans' }, 'bot · ann', /in “Plans” in a month\. At the limit.* there until/],
  [{ ...budget, budget: 'group', tokens: 4_000 }, 'bot · ann', /in one of its groups in a month\. It answers there/],
  [{ kind: 'budget_nearly_used', budget: 'asker' }, 'bot · ann', /most of the tokens/],
])('WEB-430: the alert about %j', (cause, title, text) => {
  const from = cause.kind === 'stop_refused' || cause.kind === 'budget_nearly_used' ? actor('bot') : undefined;
  expect(told(cause, from)).toEqual({ title, text: expect.stringMatching(text) });
});

test('WEB-476: an alert of an agent or a person says first from whom it is, whatever its title says', () => {
  const alert = { title: 'Security: sign in again at https://parley.example', text: 'Now.' };
  const heading = alert.title;
  expect(alertText({ ...alert, from: actor('bot') }, true)).toEqual({ title: 'bot · ann', heading, text: 'Now.' });
  const bob: Actor = { kind: 'human', username: 'bob', display_name: 'Bob' };
  expect(alertText({ ...alert, from: bob }, true)).toEqual({ title: 'Bob', heading, text: 'Now.' });
  expect(alertText({ text: 'Now.', from: bob }, true)).toEqual({ title: 'Bob', text: 'Now.' });
});

test('WEB-430: an alert about a cause that the app does not know keeps its text', () => {
  const kept = { title: 'a title', text: 'in English' };
  // From a newer service.
  expect(told({ kind: 'moon_full' } as unknown as AlertCause)).toEqual(kept);
});
