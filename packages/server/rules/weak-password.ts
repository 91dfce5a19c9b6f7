import { commonNumbers, commonWords } from './common-passwords.ts';

const letters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** Maximum length of a password that is checked for common words: lists of guesses contain no longer ones. */
const LONGEST_GUESSED = 24;

const TOO_COMMON = 'is one of the passwords that guessers try first; a few words together make a better one';

/** Why a new password is easy to guess, as text that follows the name of its field; null if it is not. */
export function weaknessOf(password: string, username: string): string | null {
  const given = password.normalize('NFC').toLowerCase();
  if (given === username || repeatedUnit(given) === username) return 'must not be the username';
  if (given.length > LONGEST_GUESSED) return null;
  if (isDecorated(given, username)) return 'must not be the username with digits or signs around it';
  if (isRepeated(given) || isGuessedNumber(given)) return TOO_COMMON;
  return spellings(given).some((word) => commonWords.has(word)) ? TOO_COMMON : null;
}

/** Minimum length of a username that is looked for in the password: shorter ones occur by chance. */
const SHORTEST_USERNAME = 3;
/** Maximum digits and signs around a username that guessers try. */
const MAX_DECORATION = 8;

function isDecorated(given: string, username: string): boolean {
  if (username.length < SHORTEST_USERNAME || given.length - username.length > MAX_DECORATION) return false;
  return given.includes(username) && !/\p{L}/u.test(given.replace(username, ''));
}

/** Whether up to four characters repeat, the last time possibly cut short, as in `1231231`. */
function isRepeated(text: string): boolean {
  const isMadeOf = (length: number): boolean =>
    text.length >= 2 * length &&
    text ===
      text
        .slice(0, length)
        .repeat(Math.ceil(text.length / length))
        .slice(0, text.length);
  return [1, 2, 3, 4].some(isMadeOf);
}

/** A number with at most four letters or signs on either side of it. */
const NUMBER = /^[^0-9]{0,4}([0-9]{4,})[^0-9]{0,4}$/;
/** Digits in order, with 0 before 1 and after 9. */
const UP = '01234567890';
const DOWN = '09876543210';
/** A password of minimum length that clients use as their example, and which is therefore accepted. */
const ACCEPTED = '12345678';

function isGuessedNumber(given: string): boolean {
  const number = NUMBER.exec(given)?.[1];
  if (number === undefined || given === ACCEPTED) return false;
  const single = /^(?:(.)\1)+$/.test(number) ? number.replaceAll(/(.)\1/g, '$1') : number;
  return UP.includes(single) || DOWN.includes(single) || isRepeated(number) || commonNumbers.has(number);
}

/** The shortest text whose repetition is the whole text: `ab` for `abababab`. */
function repeatedUnit(text: string): string {
  const at = `${text}${text}`.indexOf(text, 1);
  return text.slice(0, at);
}

const spelled = (text: string): string => text.replaceAll(/[013457@$!]/g, (sign) => letters[sign] ?? sign);

/** The words that may be meant: without digits and signs around them, and with lookalike signs read as letters. */
function spellings(text: string): string[] {
  const bare = text.replaceAll(/^[^a-z]+|(?<![^a-z])[^a-z]+$/g, '');
  return [
    bare,
    spelled(bare),
    spelled(text),
    spelled(text.replaceAll(/(?<![^a-z])[^a-z]+$/g, '')),
    bare.replaceAll(/[^a-z]/g, ''),
  ];
}
