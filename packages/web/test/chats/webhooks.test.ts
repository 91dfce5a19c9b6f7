import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium(
  'WEBHOOK-12: an admin makes a webhook, copies its address, and deletes it; members see its messages',
  async () => {
    await withStage(async (stage) => {
      const [ann, bob] = [
        await stage.person('ann'),
        await stage.person('bob', { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }),
      ];
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ usernames: ['bob'], title: 'Plans' });
      await api.createChannel({ chat_id, title: 'builds' });
      await ann.open(chat_id);
      const { page } = ann;
      await page.getByRole('button', { name: 'Details', exact: true }).click();
      const list = page.getByRole('region', { name: 'Webhooks' });
      await list.getByText('No webhooks yet.').waitFor();
      await list.getByRole('button', { name: 'New webhook' }).click();
      await page.keyboard.press('Enter');
      await list.getByText('Enter a name.').waitFor();
      await page.keyboard.type('CI');
      await stage.picture('webhook-form', page);
      await page.keyboard.press('Enter');
      const address = list.getByLabel('Address of CI');
      await address.waitFor();
      await expect.poll(() => address.evaluate((field) => field === document.activeElement)).toBe(true);
      await list.getByText('made by @ann').waitFor();
      expect(await findings(page)).toEqual([]);
      // A webhook is no agent that one could ask.
      await page.getByText('No messages yet. Add an agent').waitFor();
      await stage.picture('webhook-made', page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await stage.picture('webhook-made-dark', page);
      expect(await findings(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });

      const text = 'Build **217** failed. {% button action="retry" label="Retry" /%}';
      const answer = await fetch(await address.inputValue(), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text }),
      });
      expect(answer.status).toBe(200);
      await bob.open(chat_id);
      const message = bob.page.getByRole('article').filter({ hasText: 'Build 217 failed' });
      await message.getByText('webhook', { exact: true }).waitFor();
      expect(await message.getByRole('button', { name: 'Retry' }).isDisabled()).toBe(true);
      await stage.picture('webhook-message-phone', bob.page);

      await list.getByRole('button', { name: 'Done' }).click();
      await address.waitFor({ state: 'detached' });
      await list.getByRole('button', { name: 'Delete CI' }).click();
      await page.getByRole('button', { name: 'Delete webhook' }).click();
      await list.getByText('No webhooks yet.').waitFor();
      expect((await api.getWebhooks({ chat_id })).items).toEqual([]);
    });
  },
);

inChromium('WEBHOOK-12: the webhooks of a group fit a phone; members are not offered them', async () => {
  await withStage(async (stage) => {
    const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };
    const [ann, bob] = [await stage.person('ann', phone), await stage.person('bob')];
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: ['bob'], title: 'Plans' });
    const { id: channel_id } = await api.createChannel({ chat_id, title: 'builds' });
    await api.createWebhook({ chat_id, channel_id, display_name: 'A continuous integration with a long name' });
    await ann.open(chat_id);
    await ann.page.getByRole('button', { name: 'Details', exact: true }).click();
    const list = ann.page.getByRole('region', { name: 'Webhooks' });
    await list.getByText('to #builds, made by @ann').waitFor();
    await list.scrollIntoViewIfNeeded();
    await stage.picture('webhooks-phone', ann.page);
    expect(await ann.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await bob.open(chat_id);
    await bob.page.getByRole('button', { name: 'Details', exact: true }).click();
    await bob.page.getByRole('region', { name: 'People' }).waitFor();
    expect(await bob.page.getByRole('region', { name: 'Webhooks' }).count()).toBe(0);
  });
});

inChromium('a webhook is counted as neither person nor agent, and not offered for mentions', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    await stage.person('bob');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: ['bob'], title: 'Plans' });
    await api.createWebhook({ chat_id, display_name: 'CI of Bob' });
    await ann.open(chat_id);
    await ann.page.getByText('2 people', { exact: true }).waitFor();
    await ann.composer.fill('@');
    const options = ann.page.getByRole('option');
    await options.filter({ hasText: 'bob' }).waitFor();
    expect(await options.count()).toBe(1);
    await ann.composer.fill('@CI');
    await expect.poll(() => options.count()).toBe(0);
  });
});
