import { t } from './t.ts';

/** For example "4 s", "1 min 5 s", "2 h 3 min" or "2 d"; at least a second. */
export function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  if (seconds < 60) return t('{seconds, number} s', { seconds });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return minutesAnd(minutes, seconds % 60);
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? hoursAnd(hours, minutes % 60) : daysAnd(Math.floor(hours / 24), hours % 24);
}

const minutesAnd = (minutes: number, seconds: number): string =>
  seconds === 0
    ? t('{minutes, number} min', { minutes })
    : t('{minutes, number} min {seconds, number} s', { minutes, seconds });

const hoursAnd = (hours: number, minutes: number): string =>
  minutes === 0 ? t('{hours, number} h', { hours }) : t('{hours, number} h {minutes, number} min', { hours, minutes });

const daysAnd = (days: number, hours: number): string =>
  hours === 0 ? t('{days, number} d', { days }) : t('{days, number} d {hours, number} h', { days, hours });

/** A place in a sound or video: "0:07", "1:02:03". */
export function clockTime(seconds: number): string {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

const two = (value: number): string => String(value).padStart(2, '0');
