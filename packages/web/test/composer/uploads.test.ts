import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { smallPhoto } from '../setup/small-photo.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-71: ten photos with Send pressed before they have uploaded become one message', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: 'ann' });
    await ann.open(chat_id);
    // The uploads are held until Send was pressed.
    const { promise: isPressed, resolve: press } = Promise.withResolvers<void>();
    await ann.page.route('**/api/uploadFile', async (route) => {
      await isPressed;
      await route.continue();
    });
    const photos = Array.from({ length: 10 }, (_, at) => smallPhoto(`photo ${at}.png`, at * 20));
    await ann.page.locator('[data-composer=timeline] input[type=file]').setInputFiles(photos);
    await ann.page.locator('[data-upload=sending]').nth(2).waitFor();
    expect(await ann.page.locator('[data-upload=waiting]').count()).toBe(7);
    await ann.composer.fill('ten of them');
    await ann.composer.press('Enter');
    await ann.page.getByText('Your message will be sent when its files have uploaded.').waitFor();
    press();
    await ann.message('ten of them').waitFor();
    const stored = async () => (await api.getChatHistory({ chat_id })).items.at(-1);
    await expect.poll(stored).toMatchObject({
      content: 'ten of them',
      attachments: photos.map(({ name }) => ({ kind: 'photo', name })),
    });
    expect(await ann.page.locator('[data-upload]').count()).toBe(0);
  });
});

inChromium('WEB-71: of twelve files ten are attached, and the composer says that two were left out', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { id: chat_id } = await (await ann.actor()).api.startChat({ username: 'ann' });
    await ann.open(chat_id);
    const files = Array.from({ length: 12 }, (_, at) => smallPhoto(`photo ${at}.png`, at * 20));
    await ann.page.locator('[data-composer=timeline] input[type=file]').setInputFiles(files);
    await ann.page.getByText('A message can hold 10 files: 2 were left out.').waitFor();
    await ann.page.locator('[data-upload]').nth(9).waitFor();
    expect(await ann.page.locator('[data-upload]').count()).toBe(10);
    await stage.picture('left-out', ann.page);
  });
});

inChromium('WEB-71: adding an emoji to the text cancels a Send that waits for files', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: 'ann' });
    await ann.open(chat_id);
    const { promise: isPressed, resolve: press } = Promise.withResolvers<void>();
    await ann.page.route('**/api/uploadFile', async (route) => {
      await isPressed;
      await route.continue();
    });
    const photo = smallPhoto('photo.png');
    await ann.page.locator('[data-composer=timeline] input[type=file]').setInputFiles([photo]);
    await ann.composer.fill('with a cat');
    await ann.composer.press('Enter');
    await ann.page.getByText('Your message will be sent when its files have uploaded.').waitFor();
    await ann.page.locator('[data-composer=timeline]').getByRole('button', { name: 'Emoji' }).click();
    await ann.page.getByRole('combobox', { name: 'Search emoji' }).fill('cat');
    await ann.page.getByRole('option', { name: /cat/i }).first().waitFor();
    await ann.page.keyboard.press('Enter');
    await expect.poll(() => ann.composer.inputValue()).not.toBe('with a cat');
    press();
    await ann.page.locator('[data-upload=done]').waitFor();
    expect((await api.getChatHistory({ chat_id })).items).toEqual([]);
    await ann.composer.press('Enter');
    await expect
      .poll(async () => (await api.getChatHistory({ chat_id })).items)
      .toMatchObject([{ attachments: [{ name: 'photo.png' }] }]);
  });
});

inChromium(
  'WEB-71: ten photos keep their order when the network is cut while they upload and one is cancelled',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.person('ann');
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ username: 'ann' });
      await ann.open(chat_id);
      const { page } = ann;
      stage.watch.expect(/ERR_CONNECTION_FAILED/);
      let cut = 0;
      await page.route('**/api/uploadFile', async (route) => {
        cut += 1;
        return cut <= 4 ? route.abort('connectionfailed') : route.continue();
      });
      const photos = Array.from({ length: 10 }, (_, at) => smallPhoto(`photo ${at}.png`, at * 20));
      await page.locator('[data-composer=timeline] input[type=file]').setInputFiles(photos);
      await page.getByRole('button', { name: 'Cancel photo 7.png' }).click();
      await expect.poll(async () => page.locator('[data-upload=done]').count()).toBe(9);
      await ann.composer.press('Enter');
      const kept = photos.filter(({ name }) => name !== 'photo 7.png').map(({ name }) => ({ name }));
      await expect
        .poll(async () => (await api.getChatHistory({ chat_id })).items)
        .toMatchObject([{ attachments: kept }]);
    });
  },
);
