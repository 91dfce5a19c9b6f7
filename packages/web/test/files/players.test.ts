import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { recorded } from '../setup/recorded.ts';
import { withStage } from '../setup/stage.ts';

inChromium(
  'WEB-267, FILE-25: a video and a sound are played in place, also after their address has expired',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.person('ann');
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ username: 'ann' });
      const send = async (kind: 'video' | 'audio', more = {}) => {
        const bytes = Uint8Array.from(await recorded(ann.page, kind));
        const { id, mime_type } = await api.uploadFile({ file: new File([bytes], `${kind}.webm`) });
        expect(mime_type).toBe(`${kind}/webm`);
        await api.sendMessage({ chat_id, text: kind, attachments: [{ id, ...more }] });
      };
      const waveform = Buffer.from(Array.from({ length: 64 }, (_, at) => (at * 37) % 256)).toString('base64');
      await send('video');
      await send('audio', { duration_ms: 1_000, waveform });
      await ann.open(chat_id);
      const { page } = ann;
      const video = ann.message('video').locator('video');
      await expect.poll(async () => video.evaluate((it) => (it as HTMLVideoElement).videoWidth)).toBeGreaterThan(0);
      expect(await video.getAttribute('preload')).toBe('metadata');
      const voice = ann.message('audio').getByRole('group', { name: 'Voice message' });
      await stage.picture('players', page);
      expect(await findings(page)).toEqual([]);
      const audio = voice.locator('audio');
      const time = async () => audio.evaluate((it) => (it as HTMLAudioElement).currentTime);
      const rate = async () => audio.evaluate((it) => (it as HTMLAudioElement).playbackRate);
      await voice.getByRole('button', { name: 'Speed 1×' }).click();
      await voice.getByRole('button', { name: 'Speed 1.5×' }).click();
      await voice.getByRole('button', { name: 'Speed 2×' }).click();
      // The address has expired: the app asks for another one and plays on.
      let refused = 0;
      await page.route('**/files/*', async (route) => {
        refused += 1;
        if (refused === 1) return route.fulfill({ status: 403, body: '{}' });
        return route.continue();
      });
      stage.watch.expect(/403/);
      await voice.getByRole('button', { name: 'Play' }).click();
      // It is short, and stands at its beginning again after its end.
      await expect.poll(async () => audio.evaluate((it) => (it as HTMLAudioElement).played.length)).toBe(1);
      expect(refused).toBeGreaterThan(1);
      expect(await rate()).toBe(1);
      // It ends, and begins again at the place that is chosen.
      await voice.getByRole('button', { name: 'Play' }).waitFor();
      await voice.getByRole('slider', { name: 'Position' }).fill('0.5');
      await expect.poll(time).toBeCloseTo(0.5, 1);
    });
  },
);
