import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const CHATS = 260;

inChromium(
  'the title counts all of many conversations, and an old one opened by its address is scrolled into view',
  async () => {
    await withStage(
      async (stage) => {
        const [ann, bob] = await Promise.all([stage.person('ann'), stage.person('bob')]);
        const { api } = await bob.actor();
        const chats: string[] = [];
        for (let at = 0; at < CHATS; at += 1) {
          const { id } = await api.startChat({ usernames: ['ann'], title: `Plan ${at}.` });
          await api.sendMessage({ chat_id: id, text: 'hi' });
          chats.push(id);
        }
        const [old = ''] = chats;
        await ann.page.goto(`${stage.world.url}/settings/profile`);
        await expect.poll(async () => ann.page.title()).toBe(`(${CHATS}) Parley`);
        await ann.open(old);
        const row = ann.chats.getByRole('link', { name: /^Plan 0\b/ });
        await expect.poll(async () => ann.chats.getByRole('link').count()).toBeGreaterThanOrEqual(CHATS);
        const isInSight = async () => {
          const [place, frame] = [await row.boundingBox(), await ann.chats.boundingBox()];
          return !!place && !!frame && place.y >= frame.y && place.y + place.height <= frame.y + frame.height;
        };
        await expect.poll(isInSight).toBe(true);
        // After the reader scrolls, activity in other conversations does not move the list.
        await ann.chats.hover();
        await ann.page.mouse.wheel(0, -100_000);
        await ann.chat('Plan 259.').waitFor();
        await api.sendMessage({ chat_id: chats[100] ?? '', text: 'news' });
        await ann.chat('Plan 100.').getByText('news').waitFor();
        expect(await isInSight()).toBe(false);
      },
      { env: { RATE_LIMITS: '0' } },
    );
  },
);

inChromium('WEB-190: the list has rows as far as it has been scrolled, and one for the open conversation', async () => {
  await withStage(
    async (stage) => {
      const ann = await stage.person('ann');
      const { api } = await ann.actor();
      const chats: string[] = [];
      for (let at = 0; at < CHATS; at += 1)
        chats.push((await api.startChat({ usernames: [], title: `Plan ${at}.` })).id);
      await ann.open(chats.at(-1) ?? '');
      const rows = ann.chats.getByRole('link');
      // The first page that the app loads has more.
      await rows.first().waitFor();
      expect(await rows.count()).toBe(50);

      await ann.chats.hover();
      await expect
        .poll(async () => {
          await ann.page.mouse.wheel(0, 2_000);
          return rows.last().textContent();
        })
        .toContain('Parley guide');
      expect(await rows.count()).toBe(CHATS + 1);

      const fresh = await ann.tab();
      await fresh.open(chats[100] ?? '');
      await fresh.chats.locator('[aria-current=page]').getByText('Plan 100.').waitFor();
      expect(await fresh.chats.getByRole('link').count()).toBeLessThan(CHATS);
    },
    { env: { RATE_LIMITS: '0' } },
  );
});
