import type { Language } from '@parley/protocol/languages';
import labels from './help/labels.json' with { type: 'json' };
import { arabic } from './help/arabic.ts';
import { chinese } from './help/chinese.ts';
import { english } from './help/english.ts';
import { french } from './help/french.ts';
import { german } from './help/german.ts';
import { japanese } from './help/japanese.ts';
import { portuguese } from './help/portuguese.ts';
import { spanish } from './help/spanish.ts';
import { type HelpText, type HelpTexts, type HelpTopic, topics } from './help/topics.ts';

export const helpTexts: Readonly<Record<Language, HelpTexts>> = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
  pt: portuguese,
  ja: japanese,
  zh: chinese,
  ar: arabic,
};

export const helpTopics = Object.keys(topics) as readonly HelpTopic[]; // an object of this file's folder

/** What the app calls its buttons and pages; `npm run words` copies it from the app's catalogues. */
const labelsOf: Readonly<Partial<Record<Language, Readonly<Record<string, string>>>>> = labels;

/** A text with the names of buttons and pages as the app shows them, in bold. */
export const worded = ({ text }: HelpText, language: Language): string =>
  text.replaceAll(/\{([^{}]+)\}/g, (_whole, label: string) => `**${labelsOf[language]?.[label] ?? label}**`);
