import { direction } from './language.ts';

const firstLetter = /\p{L}/u;
const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Whether a text runs against the direction of the app. */
export function isAgainst(text: string, page: 'ltr' | 'rtl' = direction): boolean {
  const letter = firstLetter.exec(text)?.[0];
  return letter !== undefined && rightToLeft.test(letter) !== (page === 'rtl');
}
