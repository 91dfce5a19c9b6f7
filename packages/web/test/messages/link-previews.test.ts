import { page, startPageServer } from '@parley/testing/providers/page-server.ts';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium(
  'WEB-295: the preview of a link appears below its message, leads there, and its sender can remove it',
  async () => {
    await using site = await startPageServer();
    site.answer = (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          page(
            'How to bake bread',
            '<meta property="og:site_name" content="The Bakery"><meta name="description" content="Flour, water, salt, and a night of patience: everything that a good loaf needs.">',
          ),
        );
    const url = `${site.origin}/bread`;
    await withStage(
      async (stage) => {
        const [ann, ben] = await Promise.all([stage.person('ann'), stage.person('ben')]);
        const { api } = await ann.actor();
        const { id: chat_id } = await api.startChat({ usernames: ['ben'], title: 'Bakers' });
        await Promise.all([ann.open(chat_id), ben.open(chat_id)]);
        await ann.say(`read ${url}`);
        for (const person of [ann, ben]) {
          const card = person.message('read').getByRole('link', { name: 'How to bake bread' });
          await card.waitFor();
          expect(await card.getAttribute('href')).toBe(url);
          expect(await card.getAttribute('rel')).toContain('noopener noreferrer');
          expect(await card.innerText()).toContain(new URL(url).host);
          expect(await card.innerText()).toContain('Flour, water, salt');
        }
        await stage.picture('link-preview', ann.page);
        const rules = ['button-name', 'link-name', 'color-contrast', 'aria-prohibited-attr', 'aria-allowed-attr'];
        expect(await findings(ann.page, rules)).toEqual([]);
        await ben.page.setViewportSize({ width: 390, height: 800 });
        await ben.page.emulateMedia({ colorScheme: 'dark' });
        await stage.picture('link-preview-phone-dark', ben.page);
        expect(await findings(ben.page, rules)).toEqual([]);
        expect(await ben.page.getByRole('button', { name: 'Remove preview' }).count()).toBe(0);
        await ann.page.getByRole('button', { name: 'Remove preview' }).press('Enter');
        for (const person of [ann, ben]) await person.page.locator('[data-preview]').waitFor({ state: 'detached' });
        await ann.sees(ann.message('read'), `read ${url}`);
      },
      { env: { LINK_PREVIEWS: site.origin } },
    );
  },
);

inChromium(
  'WEB-364: a switch of the privacy page turns previews off on all devices, for one’s own messages too',
  async () => {
    await using site = await startPageServer();
    await withStage(
      async (stage) => {
        const ann = await stage.person('ann');
        const { page } = ann;
        const bob = await stage.world.member('bob');
        const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Links' });
        await bob.api.sendMessage({ chat_id, text: `read ${site.origin}/one` });
        await ann.open(chat_id);
        const preview = page.locator('[data-preview]');
        await preview.waitFor();
        await page.goto(new URL('/settings/privacy', page.url()).href);
        const choice = page.getByRole('switch', { name: 'Show previews of links' });
        await choice.click();
        const { api } = await ann.actor();
        await expect.poll(async () => (await api.getPrivacy()).link_previews).toBe(false);
        await stage.picture('link-preview-setting', page);
        await page.setViewportSize({ width: 390, height: 800 });
        await page.emulateMedia({ colorScheme: 'dark' });
        await stage.picture('link-preview-setting-phone-dark', page);
        expect(await findings(page)).toEqual([]);
        await ann.open(chat_id);
        await ann.message('read').waitFor();
        await preview.waitFor({ state: 'detached' });
        await api.setPrivacy({ link_previews: true });
        await preview.waitFor();
      },
      { env: { LINK_PREVIEWS: site.origin } },
    );
  },
);
