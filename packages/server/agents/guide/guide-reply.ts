import { topics } from './help/topics.ts';
import { helpTexts, worded } from './help-texts.ts';
import { topicIn } from './find-topic.ts';
import { languageOf, wordsIn } from './guide-language.ts';
import type { FindPassage } from './passages.ts';

/** Greetings and calls for help. */
const GREETING =
  /(?<!\p{L})(?:hi|hello|hey|welcome|start|hallo|hola|bonjour|salut|ol[áa]|oi|help|hilfe|ayuda|ajuda|aide)(?!\p{L})|こんにちは|ヘルプ|你好|帮助|幫助|مرحبا|السلام|مساعدة/iu;
/** Questions about everything, which may have one of the common words of a topic. */
const OVERVIEW =
  /what can (?:i|you) do|who are you|was kann|qu[ée] puedo|que posso|que puis-je|何ができ|做什么|做什麼|ماذا يمكنن/iu;

/** Mentions such as `@parley:guide` or `@bob:bot` are no words. */
const withoutMentions = (text: string): string => text.replaceAll(/@[\w:]+/g, ' ');

/**
 * The answer to a question, from what the help says of the app's pages and actions; otherwise a passage of the
 * documentation, otherwise what the guide can be asked (GUIDE-2). It is in the language of the question or, if that does
 * not say, of the newest earlier one that does (GUIDE-6).
 */
export function guideReply(question: string, earlier: readonly string[] = [], findPassage?: FindPassage): string {
  const [asked = '', ...former] = [question, ...earlier.toReversed()].map(withoutMentions);
  const before = former.flatMap((text) => languageOf(text) ?? []).at(0);
  const language = languageOf(asked, before) ?? before ?? 'en';
  const { hello, unknown, found, open, more } = helpTexts[language];
  const all = `[${more}](/help/${language})`;
  // The words of a topic may be English, whatever the language of the rest.
  const own = topicIn(language, asked);
  const isOverview = OVERVIEW.test(asked) && own.hits <= 1;
  const topic = isOverview ? null : (own.topic ?? (GREETING.test(asked) ? null : topicIn('en', asked).topic));
  if (topic !== null) {
    const text = helpTexts[language].topics[topic];
    const { page } = topics[topic];
    const links = [...(page === null ? [] : [`[${open}](${page})`]), `[${more}](/help/${language}#${topic})`];
    return `**${text.title}**\n\n${worded(text, language)}\n\n${links.join(' · ')}`;
  }
  if (wordsIn(asked).length === 0 || isOverview || GREETING.test(asked)) return `${hello}\n\n${all}`;
  const passage = findPassage?.(asked);
  if (passage) return `${found}\n\n> ${passage.text}\n\n[${passage.title}](${passage.address}) · ${all}`;
  return `${unknown}\n\n${all}`;
}
