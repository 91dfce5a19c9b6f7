import { botIn } from '../../../server/test/helpers/agents.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { type Stage, withStage } from '../setup/stage.ts';

/** What axe finds, apart from mentions, whose names stand in their style. */
const apartFromMentions = async (page: Page) =>
  (await findings(page)).filter((finding) => !finding.includes('_mention_'));

/** Two bots of Bob's that ask each other, in a group with Ann. */
async function scene(stage: Stage, options: Parameters<Stage['person']>[1] = {}) {
  const ann = await stage.person('ann', options);
  const bob = await stage.world.member('bob');
  const chat = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
  const [one, two] = [await botIn(stage.world, bob, chat, 'one'), await botIn(stage.world, bob, chat, 'two')];
  const { api } = await ann.actor();
  let last = await api.sendMessage({ chat_id: chat.id, text: `@${one.username} begin` });
  const answer = async (bot: typeof one, text: string) => {
    const { id } = await bot.api.startMessageStream({ chat_id: chat.id, reply_to_message_id: last.id });
    last = await bot.api.finishMessageStream({ message_id: id, text, usage: { input_tokens: 100, output_tokens: 10 } });
  };
  return { ann, chat_id: chat.id, one, two, answer };
}

inChromium(
  'WEB-545, WEB-546, WEB-547: a chain of agents shows who asked whom, what it used, why it stopped, and whether it may go on',
  async () => {
    await withStage(
      async (stage) => {
        const { ann, chat_id, one, two, answer } = await scene(stage);
        const { page } = ann;
        await answer(one, `@${two.username} what do you think?`);
        await ann.open(chat_id);
        const first = ann.message('what do you think?');
        await first.getByRole('button', { name: 'Asked two · bob' }).waitFor();
        // Live: the second answers, and asks once more; the third message of an agent may ask none.
        await answer(two, `@${one.username} you go on`);
        const second = ann.message('you go on');
        await second.getByRole('button', { name: 'Asked by one · bob Asked one · bob' }).waitFor();
        await answer(one, `@${two.username} and you?`);
        const third = ann.message('and you?');
        const note = third.locator('[data-left-out=hops]');
        await note
          .getByText('two · bob won’t answer this: agents have asked each other as often as they may')
          .waitFor();
        expect(await ann.timeline.locator('[data-left-out]').count()).toBe(1);
        expect(await apartFromMentions(page)).toEqual([]);
        await stage.picture('chain', page);

        await third.getByRole('button', { name: 'Asked by two · bob' }).press('Enter');
        const dialog = page.getByRole('dialog', { name: 'Who asked whom' });
        await dialog.getByText('It began with a message of Ann.').waitFor();
        expect(await dialog.getByRole('listitem').count()).toBe(3);
        await dialog.getByText('Together: 300 tokens read, 30 written.').waitFor();
        await dialog.getByRole('listitem').nth(2).getByText('as often as they may').waitFor();
        expect(await apartFromMentions(page)).toEqual([]);
        await stage.picture('chain-dialog', page);
        await dialog.getByRole('listitem').first().getByRole('button').click();
        await dialog.waitFor({ state: 'detached' });
        await page.locator('[data-message][class*=target]').filter({ hasText: 'what do you think?' }).waitFor();

        // After a load it reads the same.
        await ann.open(chat_id);
        await note.waitFor();
        await second.getByRole('button', { name: 'Asked by one · bob Asked one · bob' }).waitFor();

        // Ann is asked whether they may go on, and lets them.
        const card = ann.timeline.locator('[data-decision=budget]');
        await card
          .getByText('Agents have written 3 replies to one message, with 330 tokens. May they go on?')
          .waitFor();
        await stage.picture('chain-go-on', page);
        await card.getByRole('button', { name: 'Go on', exact: true }).click();
        await card.getByRole('status').getByText('Go on').waitFor();
        await note.waitFor({ state: 'detached' });
      },
      { settings: { maxHops: 2 } },
    );
  },
);

inChromium('WEB-545, WEB-546: a chain fits a phone, from right to left', async () => {
  await withStage(async (stage) => {
    const options = { viewport: { width: 390, height: 800 }, colorScheme: 'dark', locale: 'ar' } as const;
    const { ann, chat_id, one, two, answer } = await scene(stage, options);
    await answer(one, `@${two.username} what do you think?`);
    await answer(two, 'Nothing more.');
    await ann.open(chat_id);
    const { page } = ann;
    // The name of the timeline is Arabic.
    const last = page.locator('[data-message]').filter({ hasText: 'Nothing more.' });
    const line = last.locator('[aria-haspopup=dialog]:has(svg)');
    await line.waitFor();
    await stage.picture('chain-arabic', page);
    await line.click();
    await page.getByRole('dialog').getByRole('listitem').nth(1).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    await stage.picture('chain-dialog-arabic', page);
  });
});
