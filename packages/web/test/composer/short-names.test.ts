import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-112: @helper is completed and sent as the whole handle, and the app says so', async () => {
  await withStage(async (stage) => {
    const [ann] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const actor = await ann.actor();
    const { id: chat_id } = await actor.api.startChat({ usernames: ['bob'], title: 'Plans' });
    const bot = await stage.world.bot(actor, 'helper');
    await actor.api.addGroupAgent({ chat_id, agent_username: bot.username });
    await ann.open(chat_id);
    await ann.composer.fill('`@helper` and @helper, please');
    const line = ann.page.locator('[data-who]');
    await expect
      .poll(async () => line.innerText())
      .toBe('@helper is sent as @ann:helper. helper · ann answers, paid by you.');
    await ann.composer.press('Enter');
    const message = ann.message('please');
    await message.and(ann.page.locator('[data-status=complete]')).waitFor();
    const { items } = await actor.api.getChatHistory({ chat_id });
    expect(items.at(-1)).toMatchObject({
      content: '`@helper` and @ann:helper, please',
      dispatch: [bot.username],
    });
    // Edits say the whole handle too.
    await ann.choose(message, 'Edit');
    await ann.composer.fill('thank you, @helper');
    await ann.composer.press('Enter');
    await expect
      .poll(async () => (await actor.api.getChatHistory({ chat_id })).items.at(-1)?.content)
      .toBe('thank you, @ann:helper');

    // A short name asks a bot for inline results too.
    const daemon = await bot.socket();
    await ann.composer.fill('@helper two miles');
    const { query_id, query } = await daemon.event('inlineQuery');
    expect(query).toBe('two miles');
    await bot.api.answerInlineQuery({ query_id, results: ['3.2 km'] });
    await ann.page.getByRole('option', { name: '3.2 km' }).waitFor();

    // Suggestions by slug and by display name, with the owner.
    for (const typed of ['@hel', '@ann:h']) {
      await ann.composer.fill('');
      await ann.composer.pressSequentially(typed);
      const option = ann.page.getByRole('option').first();
      await expect.poll(async () => option.innerText()).toContain('helper · ann');
      expect(await option.innerText()).toContain('@ann:helper');
    }
    // A key that is pressed before the next frame stands behind the handle.
    await ann.page.evaluate(() => {
      window.requestAnimationFrame = (draw) => window.setTimeout(() => draw(performance.now()), 200);
    });
    await ann.composer.press('Enter');
    await ann.composer.pressSequentially('what');
    await ann.page.waitForFunction(() => new Promise((resolve) => requestAnimationFrame(() => resolve(true))));
    await ann.composer.press('?');
    expect(await ann.composer.inputValue()).toBe('@ann:helper what?');
  });
});
