import type { Schedule, ScheduleTimes } from '@parley/protocol';
import { refusalText } from '../../words/error-text.ts';
import { locale } from '../../words/language.ts';
import { listOf } from '../../words/list-of.ts';
import { t } from '../../words/t.ts';
import { untilTime } from '../../words/times.ts';

const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });

/** The name of a day of the week: 1 is Monday. The 1st of January 2024 was one. */
export const dayName = (day: number): string => weekday.format(Date.UTC(2024, 0, day));

/** A time of day, `HH:MM`, as the reader's language writes it. */
export const clockText = (at: string): string => clock.format(new Date(`2024-01-01T${at}Z`));

const workdays = '1,2,3,4,5';

/** The times of a schedule in words: “Every weekday at 9:00, Europe/Berlin”. */
export function timesText({ every, at, days = [], day_of_month: day = 1, zone = '' }: ScheduleTimes): string {
  if (every === undefined) return t('Once: {time}', { time: untilTime(at ?? '') });
  if (every === 'hour') return t('Every hour, at minute {minute}', { minute: (at ?? '00:00').slice(3) });
  const time = clockText(at ?? '09:00');
  if (every === 'day') return t('Every day at {time}, {zone}', { time, zone });
  if (every === 'month') return t('Every month on day {day} at {time}, {zone}', { day, time, zone });
  const ordered = days.toSorted((one, other) => one - other);
  return ordered.join() === workdays
    ? t('Every weekday at {time}, {zone}', { time, zone })
    : t('{days} at {time}, {zone}', { days: listOf(ordered.map(dayName)), time, zone });
}

/** When a schedule runs next, or why it does not. */
export function stateText({ state, next_at }: Schedule): string {
  if (state === 'paused') return t('Paused');
  return next_at === undefined ? t('Ended') : t('Next: {time}', { time: untilTime(next_at) });
}

/** What became of the last run; null if there was none. */
export function lastText({ last }: Schedule): { text: string; isError: boolean } | null {
  if (!last) return null;
  const time = untilTime(last.at);
  return last.error
    ? {
        text: t('Not sent ({time}). {reason}', { time, reason: refusalText(last.error.code, last.error.message) }),
        isError: true,
      }
    : { text: t('Last sent: {time}', { time }), isError: false };
}
