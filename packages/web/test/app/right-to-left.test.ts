import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const english =
  'The plan.\n\n# Title\n\n- first\n\n> a quote\n\n| name | price |\n|---|---|\n| tea | 3 |\n\n```ts\nconst one = 1;\n```';
const arabic =
  'الخطة.\n\n# عنوان\n\n- الأول\n\n> اقتباس\n\n| الاسم | السعر |\n|---|---|\n| شاي | 3 |\n\n```ts\nconst one = 1;\n```';
const longEnglish = 'See you (all) tomorrow at the usual place, and bring something to eat and to drink for everyone!';
const longArabic =
  'أراكم (جميعا) غدا في المكان المعتاد، وأحضروا معكم شيئا للأكل والشرب يكفي الجميع في هذا اليوم الجميل!';

/** A group with messages in both languages, open in a browser of this language. */
async function mixed(stage: Stage, locale: string) {
  const ann = await stage.person('ann', { locale, viewport: { width: 1_600, height: 1_200 } });
  const bob = await stage.world.member('bob');
  const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plan' });
  for (const text of [english, arabic]) await bob.api.sendMessage({ chat_id, text });
  await ann.open(chat_id);
  const messages = ann.page.locator('[data-message] [data-text]');
  await messages.nth(1).waitFor();
  return { bob, page: ann.page, chat_id, messages };
}

interface Edges {
  left: number;
  right: number;
}

/** Where an element is, and where its words are, whole, also if they are cut off; at one moment, in CSS pixels. */
const edgesOf = (element: Locator): Promise<{ box: Edges; words: Edges; parent: Edges }> =>
  element.evaluate((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const edges = ({ left, right }: DOMRect) => ({ left, right });
    return {
      box: edges(node.getBoundingClientRect()),
      words: edges(range.getBoundingClientRect()),
      parent: edges((node.parentElement ?? node).getBoundingClientRect()),
    };
  });
const wordsOf = async (element: Locator): Promise<Edges> => (await edgesOf(element)).words;
const boxOf = async (element: Locator): Promise<Edges> => (await edgesOf(element)).box;

for (const locale of ['en', 'ar'])
  inChromium(`WEB-404: in ${locale}, text of either direction stands at its own side of a message`, async () => {
    await withStage(async (stage) => {
      const { page, messages } = await mixed(stage, locale);
      await stage.picture(`directions-${locale}`, page);
      for (const [at, side] of [
        [0, 'left'],
        [1, 'right'],
      ] as const) {
        const message = messages.nth(at);
        const column = (await boxOf(message))[side];
        const edges = [
          wordsOf(message.locator('p').first()),
          wordsOf(message.getByRole('heading')),
          boxOf(message.locator('li')),
          boxOf(message.locator('blockquote')),
          boxOf(message.locator('table')),
        ];
        // A list item begins after its bullet.
        for (const edge of await Promise.all(edges)) expect(Math.abs(edge[side] - column)).toBeLessThan(28);
        // The first column of a table is at the side where one begins to read.
        const [first, second] = [await boxOf(message.locator('th').nth(0)), await boxOf(message.locator('th').nth(1))];
        expect(first.left < second.left).toBe(side === 'left');
        const border = await message.locator('blockquote').evaluate((quote, name) => {
          const style = getComputedStyle(quote);
          return name === 'left' ? style.borderLeftWidth : style.borderRightWidth;
        }, side);
        expect(border).toBe('3px');
        const code = message.locator('pre');
        const { words, box } = await edgesOf(code);
        expect(words.left - box.left).toBeLessThan(20);
      }
    });
  });

for (const [locale, side] of [
  ['en', 'left'],
  ['ar', 'right'],
] as const)
  inChromium(`WEB-403: in ${locale}, a preview is cut off at its end and stands at the ${side}`, async () => {
    await withStage(async (stage) => {
      const { bob, page, chat_id } = await mixed(stage, locale);
      const preview = page.locator(`[data-chat='${chat_id}'] [dir=auto]`).last();
      for (const [text, begins] of [
        [longEnglish, 'left'],
        [longArabic, 'right'],
      ] as const) {
        await bob.api.sendMessage({ chat_id, text });
        await preview.filter({ hasText: text.slice(0, 12) }).waitFor();
        const { words, box } = await edgesOf(preview);
        // It begins in view, and goes on beyond its end.
        expect(Math.abs(words[begins] - box[begins])).toBeLessThan(2);
        expect(words.right - words.left).toBeGreaterThan(box.right - box.left);
      }
      // The colon follows the sender's name on the way to the text.
      const name = page.locator(`[data-chat='${chat_id}'] bdi`);
      const { box, parent } = await edgesOf(name);
      expect(Math.abs(box[side] - parent[side])).toBeLessThan(1);
      for (const text of ['Yes!', 'نعم!']) {
        const { id } = await bob.api.sendMessage({ chat_id, text });
        await preview.filter({ hasText: text }).waitFor();
        const shown = await edgesOf(preview);
        expect(Math.abs(shown.words[side] - shown.box[side])).toBeLessThan(2);
        await bob.api.sendMessage({ chat_id, text: 'ok', reply_to_message_id: id });
        const quoted = page.locator('[data-message] button [dir=auto]').filter({ hasText: text });
        await quoted.waitFor();
        const inQuote = await edgesOf(quoted);
        expect(Math.abs(inQuote.words[side] - inQuote.box[side])).toBeLessThan(2);
      }
      await stage.picture(`previews-${locale}`, page);
    });
  });
