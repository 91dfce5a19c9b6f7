import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { smallPhoto } from '../setup/small-photo.ts';
import { withStage } from '../setup/stage.ts';

inChromium(
  'WEB-504: of a file above the service’s limit not a byte is sent, and the composer says how large files can be',
  async () => {
    await withStage(
      async (stage) => {
        const ann = await stage.person('ann');
        const { id } = await (await ann.actor()).api.startChat({ username: 'ann' });
        await ann.open(id);
        const { page } = ann;
        const sent: number[] = [];
        await page.route('**/api/uploadFile', async (route) => {
          sent.push(route.request().postDataBuffer()?.length ?? 0);
          await route.continue();
        });
        const large = { name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(1024 * 1024 + 1, 'a') };
        const input = page.locator('[data-composer=timeline] input[type=file]');
        await input.setInputFiles([large, smallPhoto('photo.png')]);
        await page.locator('[data-upload=failed]', { hasText: 'Too large. Files can be up to 1 MB.' }).waitFor();
        await page.locator('[data-upload=done]', { hasText: 'photo.png' }).waitFor();
        expect(await page.getByRole('button', { name: 'Try large.txt again' }).count()).toBe(0);
        expect(sent).toHaveLength(1);
        await stage.picture('too-large', page);
      },
      { env: { MAX_FILE_BYTES: `${1024 * 1024}` } },
    );
  },
);

inChromium('WEB-505: files go on uploading and stay while another conversation is open', async () => {
  await withStage(async (stage) => {
    const [ann] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: 'ann' });
    await api.startChat({ username: 'bob' });
    await ann.open(chat_id);
    const { page, composer } = ann;
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    stage.watch.expect(/400/);
    let requests = 0;
    await page.route('**/api/uploadFile', async (route) => {
      requests += 1;
      const isFirst = requests === 1;
      await isReleased;
      const refusal = { ok: false, error_code: 'internal', description: 'no' };
      return isFirst ? route.fulfill({ status: 400, json: refusal }) : route.continue();
    });
    const photos = Array.from({ length: 6 }, (_, at) => smallPhoto(`photo ${at}.png`, at * 20));
    await page.locator('[data-composer=timeline] input[type=file]').setInputFiles(photos);
    await page.locator('[data-upload=sending]').nth(2).waitFor();
    await composer.fill('six of them');
    // The row scrolls, and fades where it goes on.
    const look = await page.getByRole('list', { name: 'Files' }).evaluate((list) => ({
      isLong: list.scrollWidth > list.clientWidth,
      fades: getComputedStyle(list).maskImage !== 'none',
    }));
    expect(look).toEqual({ isLong: true, fades: true });
    await stage.picture('six-files', page);
    await ann.openChat('Bob');
    expect(await page.locator('[data-upload]').count()).toBe(0);
    release();
    await expect.poll(() => requests).toBe(6);
    await ann.openChat('Saved messages');
    // One was refused; the others have uploaded, and nothing was sent by itself.
    await expect.poll(() => page.locator('[data-upload=done]').count()).toBe(5);
    await page
      .getByRole('button', { name: /^Remove photo/ })
      .first()
      .waitFor();
    await page
      .locator('[data-upload=failed]')
      .getByRole('button', { name: /^Remove photo/ })
      .click();
    expect(await composer.inputValue()).toBe('six of them');
    await composer.press('Enter');
    await ann.message('six of them').waitFor();
    await expect
      .poll(async () => (await api.getChatHistory({ chat_id })).items)
      .toMatchObject([{ attachments: Array.from({ length: 5 }, () => ({ kind: 'photo' })) }]);
  });
});

inChromium('WEB-505: a message that waits for its files is sent while another conversation is open', async () => {
  await withStage(async (stage) => {
    const [ann] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: 'ann' });
    await api.startChat({ username: 'bob' });
    await ann.open(chat_id);
    const { page, composer } = ann;
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/uploadFile', async (route) => {
      await isReleased;
      await route.continue();
    });
    await page.locator('[data-composer=timeline] input[type=file]').setInputFiles([smallPhoto('photo.png')]);
    await composer.fill('sent later');
    await composer.press('Enter');
    await page.getByText('Your message will be sent when its files have uploaded.').waitFor();
    await ann.openChat('Bob');
    await composer.fill('for Bob');
    release();
    await expect
      .poll(async () => (await api.getChatHistory({ chat_id })).items)
      .toMatchObject([{ content: 'sent later', attachments: [{ name: 'photo.png' }] }]);
    expect(await composer.inputValue()).toBe('for Bob');
    await ann.openChat('Saved messages');
    await ann.message('sent later').waitFor();
    expect(await composer.inputValue()).toBe('');
    expect(await page.locator('[data-upload]').count()).toBe(0);
    expect((await api.getChatHistory({ chat_id })).items).toHaveLength(1);
  });
});

inChromium('on a phone the row of six files scrolls and fades', async () => {
  await withStage(async (stage) => {
    const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };
    const ann = await stage.person('ann', phone);
    const { id } = await (await ann.actor()).api.startChat({ username: 'ann' });
    await ann.open(id);
    const { page } = ann;
    const photos = Array.from({ length: 6 }, (_, at) => smallPhoto(`photo ${at}.png`, at * 20));
    await page.locator('[data-composer=timeline] input[type=file]').setInputFiles(photos);
    await page.locator('[data-upload]').nth(5).waitFor();
    const list = page.getByRole('list', { name: 'Files' });
    await list.evaluate((one) => one.scrollTo({ left: 0 }));
    expect(
      await list.evaluate((one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).maskImage !== 'none'),
    ).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await stage.picture('six-files-phone', page);
    // The last one can be seen whole.
    await list.evaluate((one) => one.scrollTo({ left: one.scrollWidth }));
    const [last, whole] = await Promise.all([page.locator('[data-upload]').last().boundingBox(), list.boundingBox()]);
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual((whole?.x ?? 0) + (whole?.width ?? 0) - 15);
  });
});
