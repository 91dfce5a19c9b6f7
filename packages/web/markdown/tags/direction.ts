import { numberOf } from './tag-values.ts';

/** The style for a rising or falling number. */
export const direction = (text: string): string | undefined => {
  const number = numberOf(text);
  return number === undefined || number === 0 ? undefined : number > 0 ? 'ui-accent' : 'ui-danger';
};
