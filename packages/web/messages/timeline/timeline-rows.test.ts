import { describe, expect, test } from 'vitest';
import { placeOf } from './timeline-rows.ts';

const sender = (username: string) =>
  ({ username, kind: 'human', display_name: username, created_at: '2026-01-01T00:00:00.000Z' }) as const;
const renamed = { kind: 'chat_renamed', actor: undefined, targets: undefined };
const at = (time: string) => new Date(`2026-11-20T${time}`).toISOString();
const message = (username: string, time: string, more: { reply_to_id?: string; service?: typeof renamed } = {}) => ({
  sender: sender(username),
  created_at: at(time),
  reply_to_id: null,
  ...more,
});

describe('a message below another', () => {
  test('is joined to one of the same sender within five minutes', () => {
    expect(placeOf(message('ann', '10:04:59'), message('ann', '10:00:00'))).toEqual({
      startsDay: false,
      isJoined: true,
    });
    expect(placeOf(message('ann', '10:05:00'), message('ann', '10:00:00')).isJoined).toBe(false);
    expect(placeOf(message('bob', '10:01:00'), message('ann', '10:00:00')).isJoined).toBe(false);
  });

  test('is never joined if it is a reply, or next to a notice', () => {
    const before = message('ann', '10:00:00');
    const notice = { service: renamed };
    expect(placeOf(message('ann', '10:01:00', { reply_to_id: 'm1' }), before).isJoined).toBe(false);
    expect(placeOf(message('ann', '10:01:00', notice), before).isJoined).toBe(false);
    expect(placeOf(message('ann', '10:01:00'), message('ann', '10:00:00', notice)).isJoined).toBe(false);
  });

  test('shows the date and its sender if it is the first of a local day', () => {
    expect(placeOf(message('ann', '10:00:00'), undefined)).toEqual({ startsDay: true, isJoined: false });
    const late = { ...message('ann', '23:59:00') };
    const early = { ...message('ann', '00:01:00'), created_at: new Date('2026-11-21T00:01:00').toISOString() };
    expect(placeOf(early, late)).toEqual({ startsDay: true, isJoined: false });
  });
});
