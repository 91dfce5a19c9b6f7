import { classNames } from '../browser/class-names.ts';
import styles from './avatar.module.css';

interface AvatarProps {
  name: string;
  username: string;
  /** Sets the shape: people are round, agents square, groups slightly rounded. */
  kind: 'human' | 'agent' | 'group';
  url?: string | undefined;
  size?: number;
}

const HUES = 8;

/** A picture, or initials on a background colour derived from the username. */
export function Avatar({ name, username, kind, url, size = 36 }: AvatarProps) {
  const names = classNames(styles['avatar'], styles[kind], styles[`hue${hueOf(username)}`]);
  const style = { width: size, height: size, fontSize: Math.round(size * 0.38) };
  if (url) return <img className={names} style={style} src={url} alt="" loading="lazy" decoding="async" />;
  // Drawn with CSS: decorative letters should not be part of the page's text.
  return <span className={names} style={style} aria-hidden="true" data-initials={initialsOf(name)} />;
}

function hueOf(text: string): number {
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % HUES;
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => firstOf(word ?? ''));
  return letters.join('').toUpperCase() || '?';
}

const firstOf = (word: string): string => {
  const point = word.codePointAt(0);
  return point === undefined ? '' : String.fromCodePoint(point);
};
