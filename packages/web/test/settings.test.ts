import { makePushKeys } from '@parley/testing/push-keys.ts';
import { expect } from 'vitest';
import { inChromium } from './chromium.ts';
import { withStage } from './stage.ts';

inChromium(
  'WEB-50: the key of an agent is asked for by its provider’s name, with the place where one has it',
  async () => {
    await withStage(async (stage) => {
      const { page } = await stage.person('ann');
      await page.goto(`${stage.world.url}/settings/agents`);
      for (const [provider, place] of [
        ['Anthropic', 'console.anthropic.com'],
        ['OpenAI', 'platform.openai.com'],
      ] as const) {
        await page.getByLabel(`${provider} API key`).waitFor();
        const link = page.getByRole('link', { name: place });
        expect(await link.getAttribute('href')).toMatch(new RegExp(`^https://${place.replaceAll('.', '\\.')}/`));
        expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual(['_blank', 'noreferrer']);
      }
      await page.getByLabel('Anthropic API key').fill('sk-ant-a-key-of-mine');
      await page.getByRole('button', { name: 'Save' }).first().click();
      await page.getByRole('group', { name: 'Anthropic API key' }).getByText('mine').waitFor();
      await page.getByRole('button', { name: 'Set a new one' }).click();
      await page.getByLabel('New Anthropic API key').waitFor();
      await stage.picture('agent-keys', page);
    });
  },
);

inChromium('WEB-51: the switch of notifications tells what the browser permits, and how to change that', async () => {
  const { env } = makePushKeys();
  await withStage(
    async (stage) => {
      const ann = await stage.person('ann');
      const { page, context } = ann;
      const status = page.getByRole('status').filter({ hasText: /browser/ });
      const permit = async (permission: NotificationPermission) => {
        // Chromium without a window knows no question to the user: what it would answer is put in its place.
        await page.evaluate((state) => {
          Object.defineProperty(Notification, 'permission', { value: state, configurable: true });
          dispatchEvent(new Event('focus'));
        }, permission);
      };
      await context.grantPermissions(['notifications']);
      await page.goto(`${stage.world.url}/settings/notifications`);
      const device = page.getByRole('switch', { name: 'Notifications on this device' });
      await status.getByText('This browser allows notifications from here.').waitFor();
      expect(await device.isEnabled()).toBe(true);
      await permit('default');
      await status.getByText('This browser asks for your permission when you turn it on.').waitFor();
      expect(await device.isEnabled()).toBe(true);
      await permit('denied');
      await status.getByText('This browser blocks notifications from here.').waitFor();
      await status.getByText('beside the page’s address').waitFor();
      expect(await device.isEnabled()).toBe(false);
      await stage.picture('notifications-blocked', page);
      await permit('granted');
      await status.getByText('This browser allows notifications from here.').waitFor();
    },
    { env },
  );
});

inChromium('WEB-51: where the service has no keys for Web Push, it says who can change that', async () => {
  await withStage(async (stage) => {
    const { page } = await stage.person('ann');
    await page.goto(`${stage.world.url}/settings/notifications`);
    await page
      .getByText('This service does not send notifications. Ask the people who run it to turn them on.')
      .waitFor();
  });
});
