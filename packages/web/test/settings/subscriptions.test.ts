import { expect } from 'vitest';
import { Receiver } from '../../../server/test/webhooks/receiver.ts';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('an address for events is added, receives them, is replayed and deleted', async () => {
  await using receiver = await Receiver.start();
  await withStage(
    async (stage) => {
      const ann = await stage.person('ann');
      const { page } = ann;
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ usernames: [], title: 'Plans' });
      await page.goto(new URL('/settings/bots', page.url()).href);
      const section = page.getByRole('region', { name: 'Addresses for events' });
      await section.getByText('No addresses yet.').waitFor();
      await section.getByRole('button', { name: 'New address' }).click();
      const form = page.getByRole('dialog', { name: 'New address for events' });
      await form.getByLabel('Address').fill('example');
      await page.keyboard.press('Enter');
      await form.getByText('Enter the whole address').waitFor();
      await form.getByLabel('Address').fill(`${receiver.origin}/events`);
      await form.getByLabel('Conversation', { exact: true }).selectOption({ label: 'Plans' });
      await form.getByRole('switch', { name: 'New messages' }).click();
      await form.getByRole('button', { name: 'Add' }).click();
      await form.getByText('Choose at least one kind of events.').waitFor();
      await form.getByRole('switch', { name: 'New messages' }).click();
      await form.getByRole('switch', { name: 'Reactions and votes' }).click();
      await stage.picture('subscription-form', page);
      expect(await findings(page)).toEqual([]);
      await form.getByRole('button', { name: 'Add' }).click();
      const secret = page.getByLabel('Secret', { exact: true });
      expect(await secret.inputValue()).toMatch(/^whsec_/);
      await page.getByRole('button', { name: 'I’ve saved it' }).click();
      const card = section.getByRole('listitem');
      await card.getByText('New messages and Reactions and votes · Plans').waitFor();
      await card.getByText('Up to date with event').waitFor();
      const [made] = (await api.getWebhookSubscriptions()).items;
      expect(made).toMatchObject({ url: `${receiver.origin}/events`, chat_id });

      const { id: message_id } = await api.sendMessage({ chat_id, text: 'hello' });
      const texts = () => receiver.got.flatMap(({ body }) => body.frames.map(({ method }) => method));
      await expect.poll(texts, { timeout: 8_000 }).toEqual(['events.messageNew']);
      await api.setMessageReaction({ message_id, emoji: '👍' });
      await expect.poll(texts, { timeout: 8_000 }).toEqual(['events.messageNew', 'events.reactionAdded']);

      await card.getByRole('button', { name: 'Send again' }).click();
      const replay = page.getByRole('dialog', { name: 'Send events again' });
      await replay.getByLabel('After event number').fill('some');
      await page.keyboard.press('Enter');
      await replay.getByText('Enter a whole number').waitFor();
      await replay.getByLabel('After event number').fill(String(made?.seq));
      await page.keyboard.press('Enter');
      await replay.waitFor({ state: 'detached' });
      await expect
        .poll(() => texts().slice(2), { timeout: 8_000 })
        .toEqual(['events.messageNew', 'events.reactionAdded']);

      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize({ width: 390, height: 800 });
      await card.scrollIntoViewIfNeeded();
      await stage.picture('subscription-phone-dark', page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      expect(await findings(page)).toEqual([]);
      await card.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await section.getByText('No addresses yet.').waitFor();
      expect((await api.getWebhookSubscriptions()).items).toEqual([]);
    },
    { env: receiver.env },
  );
});

inChromium('an address that does not answer says why', async () => {
  await using receiver = await Receiver.start();
  receiver.answer = (response) => response.writeHead(500).end();
  await withStage(
    async (stage) => {
      const ann = await stage.person('ann');
      const { page } = ann;
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ usernames: [], title: 'Plans' });
      await api.createWebhookSubscription({ url: `${receiver.origin}/events`, events: ['messageNew'] });
      await api.sendMessage({ chat_id, text: 'hello' });
      const status = async () => (await api.getWebhookSubscriptions()).items[0]?.status;
      await expect.poll(status, { timeout: 8_000 }).toBe('failing');
      await page.goto(new URL('/settings/bots', page.url()).href);
      const card = page.getByRole('region', { name: 'Addresses for events' }).getByRole('listitem');
      await card.getByText('The service tries again.').waitFor();
      await card.getByText('Last error:').waitFor();
      await stage.picture('subscription-failing', page);
    },
    { env: receiver.env },
  );
});
