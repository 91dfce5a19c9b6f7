import { t } from './t.ts';
import { locale } from './language.ts';

const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' });
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });
const full = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' });
const dayAndTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' });
const longDay = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });

const DAY_MS = 86_400_000;
const startOfDay = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
const daysAgo = (date: Date, now: Date): number => Math.round((startOfDay(now) - startOfDay(date)) / DAY_MS);

/** 14:05 or 2:05 PM, by the reader's locale. */
export const timeOf = (iso: string): string => clock.format(new Date(iso));

/** For lists: the time today, the weekday within a week, otherwise the date. */
export function shortTime(iso: string, now = new Date()): string {
  const date = new Date(iso);
  const ago = daysAgo(date, now);
  if (ago <= 0) return clock.format(date);
  if (ago === 1) return t('Yesterday');
  if (ago < 7) return weekday.format(date);
  return date.getFullYear() === now.getFullYear() ? day.format(date) : dayOfYear.format(date);
}

/** For the divider between two days. */
export function dayOf(iso: string, now = new Date()): string {
  const date = new Date(iso);
  const ago = daysAgo(date, now);
  if (ago === 0) return t('Today');
  if (ago === 1) return t('Yesterday');
  return date.getFullYear() === now.getFullYear() ? longDay.format(date) : dayOfYear.format(date);
}

/** 2026-11-21, in local time: as date fields and addresses have it. */
export const dayText = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

/** The start of a day of `dayText`, in local time; null if there is no such day. */
export function dayStart(text: string): Date | null {
  const start = new Date(`${text}T00:00`);
  return Number.isNaN(start.getTime()) ? null : start;
}

/** For times to come: 14:05 today, otherwise with its date. */
export const untilTime = (iso: string, now = new Date()): string =>
  isSameDay(iso, now.toISOString()) ? timeOf(iso) : dayAndTime.format(new Date(iso));

export const isSameDay = (one: string, other: string): boolean =>
  startOfDay(new Date(one)) === startOfDay(new Date(other));

/** A day of any year, in short. */
export const dateOf = (iso: string): string => dayOfYear.format(new Date(iso));

/** For lists by month: May 2026. */
export const monthOf = (iso: string): string => month.format(new Date(iso));

export const fullTime = (iso: string): string => full.format(new Date(iso));
