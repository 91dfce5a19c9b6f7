import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Language, translations } from '@parley/protocol/languages';
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { guideProvider, guideReply } from './guide.ts';
import { textsOf } from './guide-reply.ts';
import type { Topic } from './texts/texts.ts';
import type { ProviderEvent, ProviderRequest } from '../providers/provider.ts';

const asking = (text: string): ProviderRequest => ({ apiKey: '', model: '', messages: [{ role: 'user', text }] });
const live = (): AbortSignal => new AbortController().signal;

test.each([
  ['How do I set my API key?', 'setAgentKey'],
  ['does it work with Claude or GPT', 'setAgentKey'],
  ['How can I add an agent to a group?', 'addGroupAgent'],
  ['how do I mention one', 'addGroupAgent'],
  ['how do I write a BOT', 'createBot'],
  ['please STOP!', 'stopRun'],
  ['How do I stop the bot in our group?', 'stopRun'],
  ['help', '/docs'],
  ['which commands are there?', '/docs'],
])('GUIDE-2: %s is answered with %s', (question, expected) => {
  expect(guideReply(question)).toContain(expected);
});

test.each(['', 'hi', 'What can you do?', '🙂', '@parley:guide', '@bob:bot @bob:keys hello'])(
  'GUIDE-2: a greeting (%j) gets an overview that names the topics',
  (question) => {
    const reply = guideReply(question);
    for (const topic of ['keys', 'groups', 'bots', 'stop', 'commands']) expect(reply).toContain(`**${topic}**`);
    expect(reply).toContain('`<you>:provider_a` and `<you>:provider_b`');
  },
);

const catalogueOf = (language: Language): Record<string, string> => {
  const path = new URL(`../../../web/words/catalogues/${language}.json`, import.meta.url);
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>; // a flat object of texts
};

/** The labels of the app in an answer: in bold, in its line about the app; a place is a path of several. */
const labelsIn = (text: string, language: Language): string[] => {
  const lines = text.split('\n').filter((line) => line.startsWith(inTheApp[language]));
  return lines.flatMap((line) => [...line.matchAll(/\*\*(.+?)\*\*/g)].flatMap(([, bold = '']) => bold.split(/ [→←] /)));
};
const inTheApp: Readonly<Record<Language, string>> = {
  en: 'In the app',
  de: 'In der App',
  es: 'En la app',
  fr: 'Dans l’app',
  pt: 'No app',
  ja: 'アプリ',
  zh: '在应用',
  ar: 'في التطبيق',
};

test.each(translations)('GUIDE-6: the guide names the labels of the app as the app does in %s', (language) => {
  const catalogue = catalogueOf(language);
  for (const [topic, text] of Object.entries(textsOf.en)) {
    const labels = labelsIn(text, 'en');
    const named = labelsIn(textsOf[language][topic as Topic], language); // a key of the texts
    expect(named, topic).toEqual(labels.map((label) => catalogue[label]));
  }
  expect(labelsIn(textsOf.en.bots, 'en')).toEqual(['Menu', 'Settings', 'Bots']);
});

const suggested = {
  'What can I do here?': 'overview',
  'How do I set a key?': 'keys',
  'How do agents work in groups?': 'groups',
  'How do I write a bot?': 'bots',
} as const;

test.each(['en', ...translations] as const)(
  'GUIDE-2, GUIDE-6: the questions that the app suggests in %s are understood, and answered in that language',
  (language) => {
    // The app's texts are the English ones; there is no catalogue of them.
    const words = language === 'en' ? null : catalogueOf(language);
    for (const [question, topic] of Object.entries(suggested)) {
      const asked = words ? (words[question] ?? '') : question;
      expect(guideReply(asked), asked).toBe(textsOf[language][topic]);
    }
  },
);

test.each([
  ['Wie stoppe ich eine Antwort?', 'de', 'stop'],
  ['Hallo!', 'de', 'overview'],
  ['Welche Befehle gibt es?', 'de', 'commands'],
  ['Wann fährt der Zug?', 'de', 'unsure'],
  ['¿Cómo detengo una respuesta?', 'es', 'stop'],
  ['hola', 'es', 'overview'],
  ['¿Cuándo sale el tren?', 'es', 'unsure'],
  ['Comment arrêter une réponse ?', 'fr', 'stop'],
  ['Bonjour', 'fr', 'overview'],
  ['Quelles sont les commandes ?', 'fr', 'commands'],
  ['Como paro uma resposta?', 'pt', 'stop'],
  ['Olá', 'pt', 'overview'],
  ['Quais são os comandos?', 'pt', 'commands'],
  ['Quando sai o trem?', 'pt', 'unsure'],
  ['Preciso de ajuda com a minha chave', 'pt', 'keys'],
  ['返信を止めるには？', 'ja', 'stop'],
  ['こんにちは！', 'ja', 'overview'],
  ['電車はいつ出ますか', 'ja', 'unsure'],
  ['如何停止回复?', 'zh', 'stop'],
  ['你好！', 'zh', 'overview'],
  ['有哪些命令？', 'zh', 'commands'],
  ['火车几点开？', 'zh', 'unsure'],
  ['كيف أوقف الرد؟', 'ar', 'stop'],
  ['مرحبا', 'ar', 'overview'],
  ['متى يغادر القطار؟', 'ar', 'unsure'],
  ['How do I stop the bot?', 'en', 'stop'],
  ['Who was that man?', 'en', 'unsure'],
  ['Bot in Gruppe', 'de', 'groups'],
  ['چگونه پاسخ را متوقف کنم؟', 'en', 'unsure'],
] as const)('GUIDE-6: %s is answered in %s about %s', (question, language, topic) => {
  expect(guideReply(question)).toBe(textsOf[language][topic]);
});

test('GUIDE-6: a question in no particular language is answered in that of the newest earlier one', () => {
  expect(guideReply('API?', ['How are you?', 'Was ist ein Bot?', 'OK'])).toBe(textsOf.de.keys);
  expect(guideReply('API?', ['Was ist ein Bot?', '@parley:guide what is a bot?'])).toBe(textsOf.en.keys);
  expect(guideReply('API?')).toBe(textsOf.en.keys);
});

test.each(Object.entries(textsOf))('GUIDE-3: no reply in %s contains a mention or tag markup', (_language, texts) => {
  for (const reply of Object.values(texts)) {
    const outsideCode = reply.replace(/```[^]*?```/g, '').replace(/`[^`\n]*`/g, '');
    expect(outsideCode).not.toMatch(/[@<`]|\{%/);
    expect(reply).toBe(reply.trim());
  }
});

test.each(Object.entries(textsOf))(
  'GUIDE-6: the replies in %s name the same operations as in English',
  (_language, texts) => {
    const namesIn = (reply: string) => new Set([...reply.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    for (const [topic, reply] of Object.entries(textsOf.en))
      expect(namesIn(texts[topic as Topic]), topic).toEqual(namesIn(reply));
  },
);

test('GUIDE-6: the replies in French have no-break spaces where their punctuation has spaces', () => {
  for (const reply of Object.values(textsOf.fr)) expect(reply).not.toMatch(/ (?:[;!?%»]|:(?!\S))|« /);
});

test('GUIDE-2: anything else gets the names of the topics, and no greeting', () => {
  const reply = guideReply('When does the train leave?');
  for (const topic of ['keys', 'groups', 'bots', 'stop', 'commands']) expect(reply).toContain(`**${topic}**`);
  expect(reply).toMatch(/^I don't know that/);
});

test('GUIDE-3: no reply contains a mention or tag markup, whatever the question', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom('key', 'group', 'bot', 'stop', 'help')), (question) => {
      const reply = guideReply(question);
      const outsideCode = reply.replace(/```[^]*?```/g, '').replace(/`[^`\n]*`/g, '');
      expect(outsideCode).not.toMatch(/[@<`]|\{%/);
      expect(reply).toBe(reply.trim());
    }),
  );
});

test('GUIDE-1: the reply streams in small pieces, in under two seconds, without a key', async () => {
  for (const question of ['', 'keys', 'groups', 'bots', 'stop', 'help', 'ボットを作るには？', '怎么编写机器人？']) {
    const clock = new ManualClock();
    const startedAt = clock.now();
    const events: ProviderEvent[] = [];
    const reading = (async () => {
      for await (const event of guideProvider(clock).stream(asking(question), live())) events.push(event);
    })();
    await clock.advance(0);
    expect(events).toHaveLength(1);
    while (clock.pendingTimers > 0) await clock.advance(15);
    await reading;

    const texts = events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
    expect(texts.join('')).toBe(guideReply(question));
    expect(texts.length).toBeGreaterThan(20);
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'stop' });
    expect(clock.now() - startedAt).toBeLessThan(2000);
  }
});

test('GUIDE-1: the guide answers the newest question', async () => {
  const clock = new ManualClock();
  const request: ProviderRequest = {
    apiKey: '',
    model: '',
    messages: [
      { role: 'user', text: 'How do I stop a reply?' },
      { role: 'assistant', text: 'With stopRun.' },
      { role: 'user', text: 'And how do I write a bot?' },
    ],
  };
  let text = '';
  const reading = (async () => {
    for await (const event of guideProvider(clock).stream(request, live()))
      if (event.type === 'text') text += event.text;
  })();
  await clock.advance(2000);
  await reading;
  expect(text).toContain('createBot');
});

test('GUIDE-4: an abort ends the reply immediately and leaves no timer', async () => {
  const clock = new ManualClock();
  const abort = new AbortController();
  const reading = (async () => {
    for await (const _ of guideProvider(clock).stream(asking('help'), abort.signal));
  })();
  await clock.advance(45);
  const reason = new Error('stopped');
  abort.abort(reason);
  await expect(reading).rejects.toBe(reason);
  expect(clock.pendingTimers).toBe(0);
});
