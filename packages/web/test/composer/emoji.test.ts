import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('a colon and letters suggest emoji, Enter and Tab take one, emoticons stay as they are', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { page } = ann;
    const { id } = await (await ann.actor()).api.startChat({ username: 'ann' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await ann.open(id);
    await ann.composer.pressSequentially('hello :)');
    expect(asked.filter((url) => url.includes('/emoji-'))).toEqual([]);
    await ann.composer.fill('');
    const list = page.getByRole('listbox', { name: 'Emoji' });
    await ann.composer.pressSequentially('well :thum');
    await list.getByRole('option').first().waitFor();
    await stage.picture('emoji-completion', page);
    await page.keyboard.press('Enter');
    await expect.poll(async () => ann.composer.inputValue()).toBe('well 👍 ');
    await ann.composer.pressSequentially(':heart');
    await list.getByRole('option').first().waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(async () => ann.composer.inputValue()).toBe('well 👍 ❤️ ');
    // Escape closes the list, and Enter sends the text.
    await ann.composer.pressSequentially(':heart');
    await list.getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await ann.message('well 👍 ❤️ :heart').waitFor();
  });
});

inChromium('emoji have their names in the language of the app, and are found by English ones too', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', { locale: 'de' });
    const { page } = ann;
    const { id } = await (await ann.actor()).api.startChat({ username: 'ann' });
    await ann.open(id);
    const option = page.getByRole('option').first();
    await ann.composer.pressSequentially('gut :daum');
    await option.filter({ hasText: 'Daumen hoch' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(async () => ann.composer.inputValue()).toBe('gut 👍 ');
    await ann.composer.pressSequentially(':thumbs_up');
    await option.filter({ hasText: 'Daumen hoch' }).waitFor();
    await stage.picture('emoji-completion-german', page);
  });
});

inChromium('in Chinese the picker names its groups in simplified characters', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', { locale: 'zh-CN' });
    const { page } = ann;
    const { id } = await (await ann.actor()).api.startChat({ username: 'ann' });
    await ann.open(id);
    await page.getByRole('button', { name: '表情', exact: true }).click();
    await page.getByText('笑脸与情感').waitFor();
    await stage.picture('emoji-picker-chinese', page);
    await page.keyboard.press('Escape');
    await ann.composer.pressSequentially('好 :拇指');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(async () => ann.composer.inputValue()).toBe('好 👍 ');
  });
});
