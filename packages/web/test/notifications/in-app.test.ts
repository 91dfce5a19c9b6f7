import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium(
  'WEB-64: a message outside the open chat plays a sound, vibrates and shows a preview, by the preferences',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.person('ann');
      const [bob, carol] = [await stage.world.member('bob'), await stage.world.member('carol')];
      const { api } = await ann.actor();
      const { id: open } = await api.startChat({ username: 'bob' });
      const { id: other } = await api.startChat({ username: 'carol' });
      await ann.page.addInitScript(() => {
        const done: string[] = [];
        Object.assign(window, { done });
        const { createOscillator } = AudioContext.prototype;
        AudioContext.prototype.createOscillator = function create(this: AudioContext) {
          done.push('sound');
          return createOscillator.call(this);
        };
        navigator.vibrate = () => done.push('vibration') > 0;
      });
      const done = () => ann.page.evaluate(() => [...new Set((window as unknown as { done: string[] }).done)]);
      await ann.open(open);
      // Browsers allow sound only after the user has interacted with the page.
      await ann.composer.click();
      const toasts = ann.page.getByRole('region', { name: 'Alerts' });

      await bob.api.sendMessage({ chat_id: open, text: 'in sight' });
      await ann.message('in sight').waitFor();
      // The preferences load shortly after the page.
      await expect
        .poll(async () => {
          await carol.api.sendMessage({ chat_id: other, text: 'elsewhere' });
          return toasts.getByText('elsewhere').count();
        })
        .toBeGreaterThan(0);
      expect(await done()).toEqual(['sound', 'vibration']);
      expect(await toasts.getByText('in sight').count()).toBe(0);
      await stage.picture('in-app-preview', ann.page);
      await toasts.getByRole('button', { name: 'elsewhere' }).first().click();
      await expect.poll(() => ann.page.url()).toContain(other);

      // Changed preferences apply immediately.
      await ann.page.goto(`${stage.world.url}/settings/notifications`);
      await ann.page.getByText('While Parley is open').waitFor();
      await stage.picture('in-app-switches', ann.page);
      const stored = async () => (await api.getNotificationPrefs()).device.in_app;
      await ann.page.getByRole('switch', { name: 'Play a sound' }).click();
      await expect.poll(stored).toEqual({ sounds: false, vibrate: true, preview: true });
      await ann.page.getByRole('switch', { name: 'Vibrate' }).click();
      await expect.poll(stored).toEqual({ sounds: false, vibrate: false, preview: true });
      await bob.api.sendMessage({ chat_id: open, text: 'quietly' });
      await toasts.getByText('quietly').waitFor();
      expect(await done()).toEqual([]);

      // A muted conversation does not notify.
      await api.setChatNotifications({ chat_id: open, is_muted: true });
      await ann.chat('bob').getByLabel('muted').waitFor();
      await bob.api.sendMessage({ chat_id: open, text: 'muted words' });
      await carol.api.sendMessage({ chat_id: other, text: 'the last' });
      await toasts.getByText('the last').waitFor();
      expect(await toasts.getByText('muted words').count()).toBe(0);
    });
  },
);
