import type { Language } from '@parley/protocol/languages';
import { languageOf, wordsIn } from './guide-language.ts';
import { arabic } from './texts/arabic.ts';
import { chinese } from './texts/chinese.ts';
import { english } from './texts/english.ts';
import { french } from './texts/french.ts';
import { german } from './texts/german.ts';
import { japanese } from './texts/japanese.ts';
import { portuguese } from './texts/portuguese.ts';
import { spanish } from './texts/spanish.ts';
import type { GuideTexts, Topic } from './texts/texts.ts';

export const textsOf: Readonly<Record<Language, GuideTexts>> = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
  pt: portuguese,
  ja: japanese,
  zh: chinese,
  ar: arabic,
};

/** Beginnings of words that name a topic in other languages than English, in the order of the topics. */
const stems: readonly (readonly [Topic, RegExp])[] = [
  ['stop', /(?<!\p{L})(?:stopp|beend|abbrech|deten|parar|paro(?!\p{L})|interromp|arrêt)|停止|停下|止め|إيقاف|أوقف/iu],
  ['keys', /schlüssel|(?<!\p{L})clave|(?<!\p{L})chave|(?<!\p{L})clés?(?!\p{L})|キー|密钥|密鑰|金鑰|مفتاح|مفاتيح/iu],
  ['groups', /gruppe|grupo|groupe|グループ|群组|群組|群聊|مجموع/iu],
  ['bots', /ボット|机器人|機器人|بوت/iu],
  [
    'commands',
    /(?<!\p{L})(?:hilfe|befehl|ayuda|ajuda|comando|aide(?!\p{L})|commande)|コマンド|ヘルプ|命令|指令|帮助|幫助|الأوامر|مساعدة/iu,
  ],
  [
    'overview',
    /what can (?:i|you) do|was kann|qué puedo|que posso|que puis-je|何ができ|做什么|做什麼|你好|ماذا يمكنن|こんにちは|مرحبا|السلام/iu,
  ],
];

/** Ordered by priority: on a tie the earlier topic wins, so "stop the bot in our group" is about stopping. */
const topics: readonly { topic: Topic; words: ReadonlySet<string> }[] = [
  { topic: 'stop', words: wordsOf('stop stops stopped stopping cancel cancelled abort halt interrupt quiet silence') },
  {
    topic: 'keys',
    words: wordsOf('key keys api apikey secret anthropic claude openai gpt provider providers model models'),
  },
  {
    topic: 'groups',
    words: wordsOf(
      'group groups add adding invite member members mention mentions mentioning channel channels room always',
    ),
  },
  {
    topic: 'bots',
    words: wordsOf('bot bots daemon write writing build building program code token sdk stream streaming'),
  },
  {
    topic: 'commands',
    words: wordsOf('help command commands operation operations list reference docs openapi endpoints methods'),
  },
];

/** Words of greetings, and of questions about the guide itself. */
const greetings = wordsOf('hi hello hey welcome start you parley guide hallo hola bonjour salut olá oi');

/**
 * Returns the topic with the most words of the question; otherwise the overview if it is a greeting, or else the names
 * of the topics (GUIDE-2): in the language of the question or, if that does not say, of the newest earlier one that
 * does (GUIDE-6).
 */
export function guideReply(question: string, earlier: readonly string[] = []): string {
  const texts = [question, ...earlier.toReversed()].map(withoutMentions);
  const language = texts.map(languageOf).find((known) => known !== null) ?? 'en';
  return textsOf[language][topicOf(texts[0] ?? '')];
}

/** Mentions such as `@parley:guide` or `@bob:bot` are no words. */
const withoutMentions = (text: string): string => text.replaceAll(/@[\w:]+/g, ' ');

function topicOf(text: string): Topic {
  const asked = new Set(wordsIn(text));
  const foreign = stems.find(([, stem]) => stem.test(text));
  if (foreign) return foreign[0];
  let best: { topic: Topic; hits: number } = {
    topic: asked.size === 0 || !asked.isDisjointFrom(greetings) ? 'overview' : 'unsure',
    hits: 0,
  };
  for (const { topic, words } of topics) {
    const hits = asked.intersection(words).size;
    if (hits > best.hits) best = { topic, hits };
  }
  return best.topic;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
