import { limits } from '@parley/protocol';
import { requirePerson } from '../../conversations/scheduled.ts';
import { requireTimes } from '../../conversations/schedules.ts';
import { timesAfter } from '../../rules/schedule-times.ts';
import { read } from '../handler.ts';

export default read('previewSchedule', (call, { when, from, count = limits.upcomingTimes }) => {
  requirePerson(call);
  const after = from === undefined ? call.now : Date.parse(from);
  const moments = timesAfter(requireTimes(call.now, when), after, count);
  return { items: moments.map((moment) => new Date(moment).toISOString()) };
});
