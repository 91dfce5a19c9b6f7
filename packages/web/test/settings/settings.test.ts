import { makePushKeys } from '@parley/testing/push/push-keys.ts';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withServiceWorker, withStage } from '../setup/stage.ts';

inChromium('the key field names the agent’s provider and links to its key page', async () => {
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
});

inChromium('the notification switch says what the browser permits and how to change it', async () => {
  const { env } = makePushKeys();
  await withStage(
    async (stage) => {
      const ann = await stage.person('ann', withServiceWorker);
      const { page, context } = ann;
      const status = page.getByRole('status').filter({ hasText: /browser/ });
      const permit = async (permission: NotificationPermission) => {
        // Headless Chromium cannot ask for permission: the test sets the answer.
        await page.evaluate((state) => {
          Object.defineProperty(Notification, 'permission', { value: state, configurable: true });
          dispatchEvent(new Event('focus'));
        }, permission);
      };
      await context.grantPermissions(['notifications']);
      await page.goto(`${stage.world.url}/settings/notifications`);
      const device = page.getByRole('switch', { name: 'Notifications on this device' });
      await device.waitFor();
      await permit('granted');
      await status.getByText('Your browser allows notifications from Parley.').waitFor();
      expect(await device.isEnabled()).toBe(true);
      await permit('default');
      await status.getByText('Your browser asks for permission when you turn this on.').waitFor();
      expect(await device.isEnabled()).toBe(true);
      await permit('denied');
      await status.getByText('Your browser blocks notifications from Parley.').waitFor();
      await status.getByText('beside the page’s address').waitFor();
      expect(await device.isEnabled()).toBe(false);
      await stage.picture('notifications-blocked', page);
      await permit('granted');
      await status.getByText('Your browser allows notifications from Parley.').waitFor();
    },
    { env },
  );
});

inChromium('WEB-671: if the service sends no web pushes the switch says what is possible', async () => {
  await withStage(
    async (stage) => {
      const { page, context } = await stage.person('ann', withServiceWorker);
      await context.grantPermissions(['notifications']);
      await page.goto(`${stage.world.url}/settings/notifications`);
      await page.getByText('This service sends nothing while it is closed.').waitFor();
      expect(await page.getByRole('switch', { name: 'Notifications on this device' }).isEnabled()).toBe(true);
    },
    // Without any of the variables it sends none (NOTIF-12).
    { kind: 'whole' },
  );
});

inChromium('the profile is saved, also without a change and without a socket', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { page } = ann;
    await page.routeWebSocket(/./, () => undefined);
    await page.goto(`${stage.world.url}/settings/profile`);
    const form = page.locator('form').filter({ has: page.getByLabel('About you') });
    const name = form.getByLabel('Name', { exact: true });
    const save = form.getByRole('button', { name: 'Save' });
    const saved = form.getByRole('status').filter({ hasText: 'Saved' });
    await name.waitFor();
    await save.click();
    await saved.waitFor();
    await name.fill('Ann Archer');
    await saved.waitFor({ state: 'detached' });
    await form.getByLabel('About you').fill('Reads maps.');
    await save.click();
    await saved.waitFor();
    const { api } = await ann.actor();
    expect(await api.getMe()).toMatchObject({ display_name: 'Ann Archer', bio: 'Reads maps.' });
  });
});
