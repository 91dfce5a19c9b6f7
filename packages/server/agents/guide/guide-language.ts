// The built-in guide: its texts, and which of them answers a question. May import: core, and the types of providers.

import type { Language } from '@parley/protocol/languages';
import { topicIn } from './find-topic.ts';

/** Common short words of the languages in Latin letters, and those that name the guide's topics. Some are in two of them. */
const words = {
  en: of(
    'a an and are can change do does hello hey hi how i in is it man my not of off on thanks the there this to was what where which who why with you please your',
  ),
  de: of(
    'aber an bitte das dem den der die ein eine einen einer gibt gruppe gruppen hallo hilfe ich in ist kann kannst man mein meine mit nicht oder schlüssel stoppe und was welche wie wo zu',
  ),
  es: of(
    'al ayuda clave claves como cómo con cuál cuáles de detener el en es grupo grupos hola la las los mi para por puedo qué que respuesta se un una y yo',
  ),
  fr: of(
    'aide arrêter au aux avec bonjour ce clé clés comment dans de des est et groupe groupes je la le les mon pour puis quelles que quoi salut sont un une vous',
  ),
  pt: of(
    'a ajuda as chave chaves com como de do e em eu fazer grupo grupos há meu minha na no não o oi olá os ou para parar posso quais qual quando que quem se são um uma você é',
  ),
} as const satisfies Readonly<Partial<Record<Language, ReadonlySet<string>>>>;
const inLatinLetters = Object.keys(words) as (keyof typeof words)[];

function of(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** The words of a text, in lower case. */
export const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];

/**
 * The language of a question, by its short words and by those that name a topic of the help; null if they do not say. If
 * several fit equally well: `before`, if it is one of them.
 */
export function languageOf(question: string, before?: Language): Language | null {
  // Letters of Persian and Urdu, which Arabic does not have.
  if (/[پچژگکیٹڈڑںےہ]/.test(question)) return null;
  if (/\p{Script=Arabic}/u.test(question)) return 'ar';
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(question)) return 'ja';
  // Japanese without kana is rare.
  if (/\p{Script=Han}/u.test(question)) return 'zh';
  const asked = new Set(wordsIn(question));
  let best: { language: Language | null; hits: number } = { language: null, hits: 0 };
  for (const language of inLatinLetters) {
    const hits = words[language].intersection(asked).size + topicIn(language, question).hits;
    if (hits > best.hits || (hits > 0 && hits === best.hits && language === before)) best = { language, hits };
  }
  return best.language;
}
