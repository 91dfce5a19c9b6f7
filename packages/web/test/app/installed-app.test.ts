import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withServiceWorker, withStage } from '../setup/stage.ts';

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true } as const;

interface Manifest {
  icons: { src: string; sizes: string; type: string; purpose: string }[];
  shortcuts: { name: string; url: string; icons: { src: string }[] }[];
  share_target: { action: string; method: string };
}

inChromium(
  'the manifest has PNG icons of the sizes that it says, one of them maskable, and Apple has its own',
  async () => {
    await withStage(async (stage) => {
      const { page } = await stage.browser(withServiceWorker);
      const { url } = stage.world;
      const manifest = (await (await fetch(`${url}/manifest.webmanifest`)).json()) as Manifest; // our own file
      const pngs = manifest.icons.filter(({ type }) => type === 'image/png');
      expect(pngs.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
        '192x192 any',
        '512x512 any',
        '512x512 maskable',
      ]);
      const apple = await page.locator('link[rel=apple-touch-icon]').getAttribute('href');
      for (const [src, sizes] of [...pngs.map((icon) => [icon.src, icon.sizes]), [apple ?? '', '180x180']]) {
        const size = await page.evaluate(async (address) => {
          const picture = new Image();
          picture.src = address;
          await picture.decode();
          return `${picture.naturalWidth}x${picture.naturalHeight}`;
        }, src ?? '');
        expect([src, size]).toEqual([src, sizes]);
      }
      // Chromium finds nothing that keeps the app from being installed.
      const debug = await page.context().newCDPSession(page);
      const { errors } = await debug.send('Page.getAppManifest');
      expect(errors).toEqual([]);
      expect(manifest.shortcuts.map((shortcut) => shortcut.url)).toEqual(['/new']);
      expect(manifest.share_target).toMatchObject({ action: '/share', method: 'GET' });
    });
  },
);

inChromium(
  'WEB-341: what another app shares waits in the composer of the conversation that the user chooses',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.person('ann', { ...phone, ...withServiceWorker });
      const { page } = ann;
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ usernames: [], title: 'Garden' });
      await api.startChat({ usernames: [], title: 'Kitchen' });
      await api.saveDraft({ chat_id, text: 'Look:' });
      const query = new URLSearchParams({ title: 'Roses', text: 'in May', url: 'https://roses.example/a?b=c' });
      await page.goto(`${stage.world.url}/share?${query}`);
      await page.getByRole('heading', { name: 'Share to a conversation' }).waitFor();
      await page.getByText('in May').waitFor();
      await page.getByLabel('Find a conversation').fill('gard');
      const chats = page.getByRole('list', { name: 'Conversations to share to' }).getByRole('button');
      await expect.poll(() => chats.allInnerTexts()).toEqual(['Garden']);
      expect(await findings(page)).toEqual([]);
      await stage.picture('share-phone', page);
      await chats.click();
      await expect.poll(() => ann.composer.inputValue()).toBe('Look:\nRoses\nin May\nhttps://roses.example/a?b=c');
      expect(await ann.messages.count()).toBe(0);
      await page.goBack();
      expect(page.url()).not.toContain('/share');

      await page.goto(`${stage.world.url}/share`);
      await page.getByText('There is nothing to share.').waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await ann.chats.waitFor();
    });
  },
);

inChromium('the shortcut “New conversation” opens its dialog, and leads to the list when it is closed', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', { ...phone, ...withServiceWorker });
    const { page } = ann;
    await page.goto(`${stage.world.url}/new`);
    await page.getByRole('dialog', { name: 'New conversation' }).waitFor();
    await page.keyboard.press('Escape');
    await ann.chats.waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
  });
});

inChromium('the manifest is in the language of the app', async () => {
  await withStage(async (stage) => {
    for (const [locale, dir, name] of [
      ['en-US', undefined, 'New conversation'],
      ['de', 'ltr', 'Neue Unterhaltung'],
      ['pt-BR', 'ltr', 'Nova conversa'],
      ['zh-CN', 'ltr', '新建会话'],
      ['ar', 'rtl', 'محادثة جديدة'],
    ] as const) {
      const { page } = await stage.browser({ locale });
      await page.locator('form').first().waitFor();
      const address = await page.evaluate(() => document.querySelector<HTMLLinkElement>('link[rel=manifest]')?.href);
      const manifest = (await (await fetch(address ?? '')).json()) as Manifest & { dir?: string }; // our own file
      expect([manifest.dir, manifest.shortcuts[0]?.name]).toEqual([dir, name]);
    }
  });
});
