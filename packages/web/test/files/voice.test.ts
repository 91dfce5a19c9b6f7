import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { type Stage, withStage } from '../setup/stage.ts';

async function alone(stage: Stage, options: Parameters<Stage['person']>[1] = { permissions: ['microphone'] }) {
  const ann = await stage.person('ann', options);
  const { api } = await ann.actor();
  const { id: chat_id } = await api.startChat({ username: 'ann' });
  await ann.open(chat_id);
  const { page } = ann;
  const bar = page.locator('[data-voice]');
  const begin = async () => {
    await page.getByRole('button', { name: 'Record a voice message' }).click();
    await page.locator('[data-voice=recording]').waitFor();
  };
  const items = async () => (await api.getChatHistory({ chat_id })).items;
  return { ann, page, bar, begin, items };
}

inChromium('a voice message is recorded, sent and played', async () => {
  await withStage(
    async (stage) => {
      const { ann, page, bar, begin, items } = await alone(stage);
      await begin();
      await bar.getByText('0:01').waitFor();
      await stage.picture('voice-recording', page);
      expect(await findings(page)).toEqual([]);
      // The button that sends has the focus.
      await page.keyboard.press('Enter');
      await bar.waitFor({ state: 'detached' });
      await expect.poll(async () => ann.composer.evaluate((area) => area === document.activeElement)).toBe(true);
      await expect.poll(async () => (await items()).length).toBe(1);
      const [message] = await items();
      expect(message?.content).toBe('');
      const [voice] = message?.attachments ?? [];
      expect(voice).toMatchObject({ kind: 'file', mime_type: 'audio/webm', name: 'Voice message.webm' });
      expect(voice?.duration_ms).toBeGreaterThan(900);
      const peaks = [...Buffer.from(voice?.waveform ?? '', 'base64')];
      expect([peaks.length, Math.max(...peaks)]).toEqual([64, 255]);
      const player = ann.timeline.getByRole('group', { name: 'Voice message' });
      await player.getByRole('button', { name: 'Play' }).click();
      const audio = player.locator('audio');
      await expect.poll(async () => audio.evaluate((it) => (it as HTMLAudioElement).currentTime)).toBeGreaterThan(0);
      await stage.picture('voice-message', page);
    },
    { kind: 'whole' },
  );
});

inChromium('Escape discards a recording, and there is no microphone beside a text', async () => {
  await withStage(
    async (stage) => {
      const { ann, page, bar, begin, items } = await alone(stage);
      await begin();
      await page.keyboard.press('Escape');
      await bar.waitFor({ state: 'detached' });
      expect(await ann.composer.evaluate((area) => area === document.activeElement)).toBe(true);
      await begin();
      await page.getByRole('button', { name: 'Discard the recording' }).click();
      await bar.waitFor({ state: 'detached' });
      await ann.say('only this');
      expect(await items()).toMatchObject([{ content: 'only this' }]);
      await ann.composer.fill('more');
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Record a voice message' }).count()).toBe(0);
    },
    { kind: 'whole' },
  );
});

inChromium('WEB-273: if the microphone is refused, the app says what to do', async () => {
  await withStage(
    async (stage) => {
      const { page, bar } = await alone(stage, {});
      await page.getByRole('button', { name: 'Record a voice message' }).click();
      await page.getByText('Allow it in your browser’s settings for this page, then try again.').waitFor();
      expect(await bar.count()).toBe(0);
    },
    { kind: 'whole' },
  );
});

inChromium('WEB-275: only pages of the service itself may use the microphone', async () => {
  await withStage(
    async (stage) => {
      const { headers } = await fetch(stage.world.url);
      expect(headers.get('permissions-policy')).toContain('microphone=(self)');
      expect(headers.get('permissions-policy')).toContain('camera=()');
    },
    { kind: 'whole' },
  );
});
