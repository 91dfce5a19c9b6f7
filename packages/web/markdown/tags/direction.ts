import { numberOf } from './tag-values.ts';
import styles from './tags.module.css';

/** The style for a rising or falling number. */
export const direction = (text: string): string | undefined => {
  const number = numberOf(text);
  return number === undefined || number === 0 ? undefined : number > 0 ? styles['up'] : styles['down'];
};
