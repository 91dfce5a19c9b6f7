import { readFileSync } from 'node:fs';
import { type Language, languages, translations } from '@parley/protocol/languages';
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProviderEvent, ProviderRequest } from '../providers/provider.ts';
import { guideProvider, guideReply } from './guide.ts';
import { type HelpTopic, topics } from './help/topics.ts';
import { helpTexts, helpTopics, worded } from './help-texts.ts';
import { passageFinder } from './passages.ts';

const all = Object.keys(languages) as Language[]; // the names of the languages
const asking = (text: string): ProviderRequest => ({ apiKey: '', model: '', messages: [{ role: 'user', text }] });
const live = (): AbortSignal => new AbortController().signal;

const catalogueOf = (language: Language): Record<string, string> => {
  const path = new URL(`../../../web/words/catalogues/${language}.json`, import.meta.url);
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>; // a flat object of texts
};

const answerOf = (topic: HelpTopic, language: Language): string => `**${helpTexts[language].topics[topic].title}**\n\n`;

test.each<[string, HelpTopic, string?]>([
  ['How do I make an agent?', 'agent', '/settings/agents/new'],
  ['without code?', 'agent', '/settings/agents/new'],
  ['How do I set my API key?', 'key', '/settings/agents'],
  ['does it work with Claude or GPT', 'key'],
  ['who pays for that', 'cost'],
  ['How do agents work in groups?', 'agentInGroup'],
  ['How can I add an agent to a group?', 'agentInGroup'],
  ['invite a friend?', 'invite'],
  ['How do I make a group?', 'group', '/new'],
  ['change language', 'language', '/settings/appearance'],
  ['dark mode', 'dark', '/settings/appearance'],
  ['delete a message', 'messages'],
  ['delete my account', 'deletion', '/settings/profile'],
  ['I forgot my password', 'password'],
  ['can I send a photo', 'files'],
  ['send a message later', 'later'],
  ['how do I find an old message', 'search'],
  ['block somebody', 'block', '/settings/privacy'],
  ['please STOP!', 'stop'],
  ['How do I stop the bot in our group?', 'stop'],
  ['how do I write a BOT', 'bots', '/settings/bots'],
  ['where am I signed in', 'devices', '/settings/sessions'],
])('GUIDE-2: %s is answered about %s, with a link to its page', (question, topic, page) => {
  const reply = guideReply(question);
  expect(reply).toContain(answerOf(topic, 'en'));
  if (page !== undefined) expect(reply).toContain(`[Open it](${page})`);
  expect(reply).toContain(`(/help/en#${topic})`);
});

test.each<[string, Language, HelpTopic]>([
  ['Wie mache ich einen Agenten?', 'de', 'agent'],
  ['Wie lade ich jemanden ein?', 'de', 'invite'],
  ['Dunkelmodus', 'de', 'dark'],
  ['Sprache ändern', 'de', 'language'],
  ['Wie stoppe ich eine Antwort?', 'de', 'stop'],
  ['¿Cómo creo un agente?', 'es', 'agent'],
  ['como invito a un amigo', 'es', 'invite'],
  ['modo oscuro', 'es', 'dark'],
  ['cambiar el idioma', 'es', 'language'],
  ['Comment créer un agent ?', 'fr', 'agent'],
  ['Comment inviter un ami ?', 'fr', 'invite'],
  ['mode sombre', 'fr', 'dark'],
  ['changer la langue', 'fr', 'language'],
  ['Como crio um agente?', 'pt', 'agent'],
  ['Como convido um amigo?', 'pt', 'invite'],
  ['modo escuro', 'pt', 'dark'],
  ['mudar o idioma', 'pt', 'language'],
  ['エージェントを作るには？', 'ja', 'agent'],
  ['友達を招待するには？', 'ja', 'invite'],
  ['ダークモードにするには？', 'ja', 'dark'],
  ['言語を変える', 'ja', 'language'],
  ['怎么创建智能体？', 'zh', 'agent'],
  ['怎么邀请朋友？', 'zh', 'invite'],
  ['怎么打开深色模式？', 'zh', 'dark'],
  ['更改语言', 'zh', 'language'],
  ['كيف أنشئ وكيلًا؟', 'ar', 'agent'],
  ['كيف أدعو صديقًا؟', 'ar', 'invite'],
  ['كيف أشغّل الوضع الداكن؟', 'ar', 'dark'],
  ['تغيير اللغة', 'ar', 'language'],
])('GUIDE-6: %s is answered in %s about %s', (question, language, topic) => {
  expect(guideReply(question)).toContain(answerOf(topic, language));
});

test.each(all)('GUIDE-2: the questions that the guide proposes in %s are answered in that language', (language) => {
  const proposed = [...helpTexts[language].hello.matchAll(/[“„«「]([^”“»」]+)[”“»」]/g)].map(([, text = '']) => text);
  expect(proposed).toHaveLength(3);
  const answers = proposed.map((question) => guideReply(question.trim()));
  expect(answers.map((answer) => answer.split('\n')[0])).toEqual(
    (['agent', 'invite', 'dark'] as const).map((topic) => `**${helpTexts[language].topics[topic].title}**`),
  );
});

test.each(['', 'hi', 'What can you do?', 'help', '🙂', '@parley:guide', '@bob:bot @bob:keys hello'])(
  'GUIDE-2: a greeting (%j) is answered with questions to ask',
  (question) => {
    expect(guideReply(question)).toBe(`${helpTexts.en.hello}\n\n[All of the help](/help/en)`);
  },
);

test.each<[string, Language]>([
  ['When does the train leave?', 'en'],
  ['Wann fährt der Zug?', 'de'],
  ['¿Cuándo sale el tren?', 'es'],
  ['Quand part le train ?', 'fr'],
  ['Quando sai o trem?', 'pt'],
  ['電車はいつ出ますか', 'ja'],
  ['火车几点开？', 'zh'],
  ['متى يغادر القطار؟', 'ar'],
  ['چگونه پاسخ را متوقف کنم؟', 'en'],
])('GUIDE-2: to %s it says in %s that it does not know', (question, language) => {
  expect(guideReply(question)).toContain(helpTexts[language].unknown);
});

test('GUIDE-6: each question is answered in its own language, also after questions in another one', () => {
  const german = ['Wie mache ich einen Agenten?'];
  expect(guideReply('dark mode', german)).toContain(answerOf('dark', 'en'));
  expect(guideReply('invite a friend?', german)).toContain(answerOf('invite', 'en'));
  expect(guideReply('How do I change the language?', german)).toContain(answerOf('language', 'en'));
  expect(guideReply('modo oscuro', german)).toContain(answerOf('dark', 'es'));
  // These are words of several languages, or of none.
  expect(guideReply('API?', german)).toContain(answerOf('key', 'de'));
  expect(guideReply('OK', german)).toContain(helpTexts.de.unknown);
  expect(guideReply('API?')).toContain(answerOf('key', 'en'));
});

test.each(translations)('GUIDE-6, HELP-2: the guide names the labels of the app as the app does in %s', (language) => {
  const catalogue = catalogueOf(language);
  const labelsIn = (text: string) => [...text.matchAll(/\{([^}]+)\}/g)].map(([, label = '']) => label).toSorted();
  for (const topic of helpTopics) {
    const [english, own] = [helpTexts.en.topics[topic], helpTexts[language].topics[topic]];
    expect(labelsIn(own.text), topic).toEqual(labelsIn(english.text));
    for (const label of labelsIn(english.text)) {
      expect(catalogue[label], label).toBeTruthy();
      expect(worded(own, language)).toContain(`**${catalogue[label]}**`);
    }
  }
});

test.each(['en', ...translations] as const)(
  'GUIDE-2: the questions that the app proposes in %s are understood',
  (language) => {
    const asked = ['How do I make an agent?', 'How do I invite a friend?', 'How do I change the language?'];
    const catalogue = language === 'en' ? null : catalogueOf(language);
    const answers = asked.map((question) => guideReply(catalogue?.[question] ?? question).split('\n')[0]);
    expect(answers).toEqual(
      (['agent', 'invite', 'language'] as const).map((topic) => `**${helpTexts[language].topics[topic].title}**`),
    );
    const overview = 'What can I do here?';
    expect(guideReply(catalogue?.[overview] ?? overview)).toContain(helpTexts[language].hello);
  },
);

const texts = all.flatMap((language) => {
  const { hello, unknown, found, topics: own } = helpTexts[language];
  return [hello, unknown, found, ...Object.values(own).map((text) => worded(text, language))];
});
const outsideCode = (reply: string): string => reply.replace(/`[^`\n]*`/g, '');

test('GUIDE-3: no text contains a mention, tag markup or an operation of the API', () => {
  for (const text of texts) {
    expect(outsideCode(text)).not.toMatch(/[@<`{}]/);
    expect(text).not.toMatch(/POST|provider_|createBot|setAgentKey/);
    expect(text).toBe(text.trim());
  }
});

test('GUIDE-6: the replies in French have no-break spaces where their punctuation has spaces', () => {
  expect(JSON.stringify(helpTexts.fr)).not.toMatch(/ (?:[;!?%»]|:(?!\S))|« /);
});

const passages = [
  {
    page: 'Running',
    title: 'Backups',
    address: 'RUNNING.html#backups',
    text: 'Use `backup` for a copy <b> of it, @ann.',
  },
  {
    page: 'Running',
    title: 'Updates',
    address: 'RUNNING.html#updates',
    text: 'Before an update make backups of the database.',
  },
];

test('GUIDE-8: what the help does not explain is answered with a passage of the documentation, and a link to it', () => {
  const find = passageFinder(passages);
  const reply = guideReply('update backups', [], find);
  expect(reply).toContain(helpTexts.en.found);
  expect(reply).toContain('> Before an update make backups of the database.');
  expect(reply).toContain('[Running › Updates](/docs/guide/RUNNING.html#updates)');
  expect(guideReply('zebra backups', [], find)).toContain(helpTexts.en.unknown);
  expect(guideReply('backups', [], find)).toContain(helpTexts.en.unknown);
  expect(outsideCode(guideReply('running backups', [], find))).not.toMatch(/[@<`{}]/);
});

test('GUIDE-3: no reply contains a mention or tag markup, whatever the question', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom('key', 'group', 'bot', 'stop', 'help')), (question) => {
      const reply = guideReply(question, [], passageFinder(passages));
      expect(outsideCode(reply)).not.toMatch(/[@<`]|\{%/);
      expect(reply).toBe(reply.trim());
    }),
  );
});

test('GUIDE-8: every topic has a page that the app has, or none', () => {
  for (const { page } of Object.values(topics))
    if (page !== null) expect(page).toMatch(/^\/(?:new|inbox|browse|settings\/[a-z]+(?:\/new)?)$/);
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

    const written = events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
    expect(written.join('')).toBe(guideReply(question));
    expect(written.length).toBeGreaterThan(8);
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
      { role: 'assistant', text: 'Press Stop.' },
      { role: 'user', text: 'And how do I invite a friend?' },
    ],
  };
  let text = '';
  const reading = (async () => {
    for await (const event of guideProvider(clock).stream(request, live()))
      if (event.type === 'text') text += event.text;
  })();
  await clock.advance(2000);
  await reading;
  expect(text).toContain(answerOf('invite', 'en'));
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
