import { deflateSync, crc32 } from 'node:zlib';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

/** A PNG with one grey pixel. */
function pixel(grey: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, sum]);
  };
  const head = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(Buffer.from([0, grey]));
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

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
    const photos = Array.from({ length: 10 }, (_, at) => ({
      name: `photo ${at}.png`,
      mimeType: 'image/png',
      buffer: pixel(at * 20),
    }));
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
    const photo = { name: 'photo.png', mimeType: 'image/png', buffer: pixel(7) };
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
