import { msSince } from '@parley/protocol/dates';
import { locale } from './language.ts';
import { t } from './t.ts';

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });

const MINUTE_MS = 60_000;
const MINUTES_OF_HOUR = 60;
const MINUTES_OF_DAY = 24 * MINUTES_OF_HOUR;

/** For example "last seen 5 minutes ago"; after a week, with the date. */
export function lastSeen(iso: string, now = Date.now()): string {
  const minutes = Math.floor(msSince(Date.parse(iso), now) / MINUTE_MS);
  if (minutes < 1) return t('last seen just now');
  const days = Math.floor(minutes / MINUTES_OF_DAY);
  return days < 7
    ? t('last seen {ago}', { ago: ago(minutes, days) })
    : t('last seen on {date}', { date: day.format(new Date(iso)) });
}

function ago(minutes: number, days: number): string {
  if (minutes < MINUTES_OF_HOUR) return relative.format(-minutes, 'minute');
  if (minutes < MINUTES_OF_DAY) return relative.format(-Math.floor(minutes / MINUTES_OF_HOUR), 'hour');
  return relative.format(-days, 'day');
}
