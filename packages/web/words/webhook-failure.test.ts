import type { WebhookFailure } from '@parley/protocol';
import { expect, test } from 'vitest';
import { webhookFailure } from './webhook-failure.ts';

test.each<[WebhookFailure, string]>([
  [{ kind: 'status', status: 1_234 }, 'Its answer had the status 1234.'],
  [{ kind: 'timeout', seconds: 10 }, 'No answer within 10 seconds.'],
  [{ kind: 'unreachable' }, 'It couldn’t be reached.'],
  [{ kind: 'refused' }, 'Its address isn’t allowed here.'],
  [{ kind: 'no_secret' }, 'The service can no longer read its secret. Delete the address and add it again.'],
])('WEB-430: why an address did not accept events: %j', (cause, text) => {
  expect(webhookFailure(cause, 'in English')).toBe(text);
});

test('WEB-430: a failure whose cause the app does not know keeps its text', () => {
  for (const cause of [undefined, { kind: 'moon_full' } as unknown as WebhookFailure])
    expect(webhookFailure(cause, 'in English')).toBe('in English');
});
