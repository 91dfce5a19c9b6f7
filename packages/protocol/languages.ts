/**
 * The languages of the web app, of the built-in guide and of the service's own words in pushes (WEB-361), each by its
 * tag (BCP 47), with its own name and the direction of its lines.
 */
export const languages = {
  en: { name: 'English', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
  es: { name: 'Español', direction: 'ltr' },
  fr: { name: 'Français', direction: 'ltr' },
  pt: { name: 'Português', direction: 'ltr' },
  ja: { name: '日本語', direction: 'ltr' },
  zh: { name: '简体中文', direction: 'ltr' },
  ar: { name: 'العربية', direction: 'rtl' },
} as const;
export type Language = keyof typeof languages;

/** All of them but English, whose texts stand in the source. */
export const translations = Object.keys(languages).filter((language) => language !== 'en') as Exclude<Language, 'en'>[];

export const isLanguage = (name: string | null): name is Language => name !== null && Object.hasOwn(languages, name);
