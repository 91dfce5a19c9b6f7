import type { Run } from './own-tools.ts';
import { argumentsOf, Misuse } from './tool-arguments.ts';

/** The service knows no zone of a person: without one it says UTC, and that it is (OWN-4). */
export const currentTime: Run = ({ clock }, sent) => {
  const { zone } = argumentsOf('current_time', sent);
  const at = new Date(clock.now());
  const shown = {
    utc: at.toISOString(),
    zone: zone ?? 'UTC',
    local: localTime(at, zone ?? 'UTC'),
    ...(zone === undefined && { note: 'The time zone of the person is not known: this is UTC.' }),
  };
  return Promise.resolve({ event: 'finish', result: JSON.stringify(shown) });
};

function localTime(at: Date, timeZone: string): string {
  try {
    const format = { timeZone, dateStyle: 'full', timeStyle: 'long' } as const;
    return new Intl.DateTimeFormat('en-GB', format).format(at);
  } catch {
    throw new Misuse(`There is no time zone of the name ${timeZone}.`);
  }
}
