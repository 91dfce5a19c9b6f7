import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';
import { openAdmin, personWith } from './setup.ts';

const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true } as const;
const looks = [
  { name: 'light', options: {} },
  { name: 'phone', options: { ...phone, colorScheme: 'dark' } },
  { name: 'arabic', options: { ...phone, locale: 'ar' } },
] as const;

for (const { name, options } of looks)
  inChromium(
    `WEB-727: the pages of the administration fit, and axe finds nothing serious in them, ${name}`,
    { timeout: 120_000 },
    async () => {
      await withStage(async (stage) => {
        const ann = await personWith(stage, 'owner', 'ann', options);
        const { api } = await ann.actor();
        const ben = await stage.world.member('ben');
        const { id: chat_id } = await ben.api.startChat({ usernames: ['ann'], title: 'Garden', visibility: 'public' });
        for (const text of ['Who comes today?', 'Nobody, you fool', 'Please be kind'])
          await ben.api.sendMessage({ chat_id, text });
        const { items } = await api.getChatHistory({ chat_id });
        const ugly = items.find(({ content }) => content === 'Nobody, you fool');
        await api.reportMessage({ message_id: ugly?.id ?? '', reason: 'It is an insult' });
        await api.createServiceInvite({ max_uses: 5, expires_in: 86_400 });
        await api.createUserGroup({ name: 'support', title: 'Help desk', usernames: ['ben'] });
        for (const page of ['overview', 'accounts', 'invites', 'groups', 'reports', 'audit']) {
          await openAdmin(ann, page);
          const isWide = await ann.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
          expect(isWide, page).toBe(false);
          await stage.picture(`admin-${page}-${name}`, ann.page);
          expect(await findings(ann.page), page).toEqual([]);
          const rows = ann.page.locator('main ul button[aria-haspopup=dialog]');
          if ((await rows.count()) === 0) continue;
          await rows.last().click();
          await ann.page.getByRole('dialog').waitFor();
          await stage.picture(`admin-${page}-open-${name}`, ann.page);
          if (page === 'accounts' && name === 'light') await stage.picture('admin-account', ann.page);
          expect(await findings(ann.page), `${page}, a row`).toEqual([]);
          await ann.page.keyboard.press('Escape');
        }
      });
    },
  );
