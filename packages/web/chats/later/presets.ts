// Messages that are sent later, and reminders. May import: the rooms below chats.
import { t } from '../../words/t.ts';
import { dayText } from '../../words/times.ts';

/** A time that the app offers, in the zone of the user's device. */
interface Preset {
  readonly label: string;
  readonly at: Date;
}

const MORNING_HOUR = 9;
const HOUR_MS = 3_600_000;
const MONDAY = 1;

/** The morning of the day that is `days` after `now`; a change to summer time does not move it. */
const morningIn = (now: Date, days: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING_HOUR);

/** The usual choices: in an hour, tomorrow morning, and Monday morning unless that is tomorrow. */
export function presets(now: Date): Preset[] {
  const daysToMonday = (MONDAY + 7 - now.getDay()) % 7 || 7;
  const all: Preset[] = [
    { label: t('In 1 hour'), at: new Date(now.getTime() + HOUR_MS) },
    { label: t('Tomorrow morning'), at: morningIn(now, 1) },
  ];
  return daysToMonday === 1 ? all : [...all, { label: t('Monday morning'), at: morningIn(now, daysToMonday) }];
}

const two = (value: number): string => String(value).padStart(2, '0');

/** The value of an input of type `datetime-local`. */
export const localInput = (at: Date): string => `${dayText(at)}T${two(at.getHours())}:${two(at.getMinutes())}`;
