import { isLanguage, type Language, languages } from '@parley/protocol/languages';
import translated from './push-words.json' with { type: 'json' };

/** Texts of the app's catalogues that the service says too. `npm run words` copies their translations to push-words.json. */
export const pushMessages = {
  message: 'New message',
  photo: 'Photo',
  voiceMessage: 'Voice message',
  needsYou: 'Needs you',
  reminder: 'You asked to be reminded of a message from {name}.',
} as const;

type Texts = Readonly<Record<keyof typeof pushMessages, string>>;

/** The service's own words in a push; everything else in it was written by people. */
export interface PushWords {
  /** Instead of a text that must not be shown, or that does not exist (PUSH-2). */
  message: string;
  photo: string;
  voiceMessage: string;
  /** Before the text of a decision that its reader may decide (PUSH-28). */
  needsYou: string;
  /** The text of a reminder (SCHEDULE-21). */
  reminder: (sender: string) => string;
}

const wordsOf = ({ reminder, ...texts }: Texts, language: Language): PushWords => {
  // In a line from right to left a name is set apart from the signs beside it.
  const [before, after] = languages[language].direction === 'rtl' ? ['\u2068', '\u2069'] : ['', ''];
  return { ...texts, reminder: (sender) => reminder.replace('{name}', () => `${before}${sender}${after}`) };
};

export const english = wordsOf(pushMessages, 'en');

const byLanguage: Readonly<Record<Exclude<Language, 'en'>, Texts>> = translated;

/** The words for the language of a device, such as `de` or `de-AT`; English for others (PUSH-27). */
export function pushWordsOf(locale: string | null): PushWords {
  const language = locale?.split('-', 1)[0]?.toLowerCase() ?? 'en';
  return isLanguage(language) && language !== 'en' ? wordsOf(byLanguage[language], language) : english;
}
