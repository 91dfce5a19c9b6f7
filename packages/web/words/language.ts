import { isLanguage, type Language, languages } from '@parley/protocol/languages';
import { storage } from '../browser/storage.ts';

/** Defined by the build: see manifest-files.ts. */
declare const MANIFEST_PLACE: string;

const LANGUAGE = 'parley.language';

/** The languages that the browser's user prefers, best first; in tests without a browser, English. */
const preferred = typeof document === 'undefined' ? ['en'] : navigator.languages;

/** The language chosen in this browser; null if the app follows the browser's own. */
export const chosenLanguage = (): Language | null => {
  const saved = storage.getItem(LANGUAGE);
  return isLanguage(saved) ? saved : null;
};

const primary = (tag: string): string => tag.split('-', 1)[0]?.toLowerCase() ?? '';

/** The language that the app is in, from its start on. */
export const language: Language = chosenLanguage() ?? preferred.map(primary).find(isLanguage) ?? 'en';

/**
 * For dates and numbers: how the user's region writes them, if the browser names one with this language. The app's
 * Chinese is in simplified characters, and so are its dates where traditional ones are usual (zh-TW).
 */
export function localeOf(shown: Language, tags: readonly string[]): string {
  const tag = tags.find((one) => primary(one) === shown && isTag(one)) ?? shown;
  const { script } = new Intl.Locale(shown).maximize();
  return shown === 'zh' && script !== undefined ? String(new Intl.Locale(tag, { script })) : tag;
}
export const locale = localeOf(language, preferred);

/** Some browsers name a locale of the system, such as en-US@posix, which Intl refuses. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

const monday = 1;
/** The first day of a week where the user is, from 1 for Monday to 7 for Sunday; Monday if the browser does not say. */
export const firstDayOfWeek: number = new Intl.Locale(locale).getWeekInfo?.().firstDay ?? monday;

export const { direction } = languages[language];

/** The arrow keys that lead along the line, and against it. */
export const arrows =
  direction === 'rtl'
    ? ({ forward: 'ArrowLeft', back: 'ArrowRight' } as const)
    : ({ forward: 'ArrowRight', back: 'ArrowLeft' } as const);

/** Chooses the app's language in this browser, null for the browser's own, and restarts the app in it. */
export function setLanguage(chosen: Language | null): void {
  if (chosen === null) storage.removeItem(LANGUAGE);
  else storage.setItem(LANGUAGE, chosen);
  location.reload();
}

/** Tells the browser in which language the page is and where its lines begin; English if its words are missing. */
export function applyLanguage(hasWords: boolean): void {
  document.documentElement.lang = hasWords ? language : 'en';
  document.documentElement.dir = hasWords ? direction : 'ltr';
  // The system shows the installed app's shortcuts and description in this language too.
  if (hasWords && language !== 'en')
    document.querySelector('link[rel=manifest]')?.setAttribute('href', `${MANIFEST_PLACE}/${language}.json`);
}
