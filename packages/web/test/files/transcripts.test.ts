import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { recorded } from '../setup/recorded.ts';
import { withStage } from '../setup/stage.ts';

const KEY = 'sk-of-ann-for-transcripts';
const words = 'Can you hear me? I would like to know when the last train leaves.';

inChromium('a voice message is transcribed from its menu, and everyone reads what was heard', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const bob = await stage.person('bob', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    const [{ api }, ofBob] = [await ann.actor(), await bob.actor()];
    const { id: chat_id } = await api.startChat({ title: 'Trains', usernames: ['bob'] });
    const waveform = Buffer.from(Array.from({ length: 64 }, (_, at) => (at * 37) % 256)).toString('base64');
    const say = async (text: string) => {
      const bytes = Uint8Array.from(await recorded(ann.page, 'audio'));
      const { id } = await ofBob.api.uploadFile({ file: new File([bytes], 'Voice message.webm') });
      const attachments = [{ id, duration_ms: 1_000, waveform }];
      return ofBob.api.sendMessage({ chat_id, text, attachments });
    };
    await say('first');
    await ann.open(chat_id);
    await bob.open(chat_id);
    const { page } = ann;
    const menuOf = async (text: string) => {
      await ann.message(text).hover();
      await ann.message(text).getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Copy text' }).waitFor();
    };
    const transcribe = page.getByRole('menuitem', { name: 'Transcribe' });
    // No agent is there that could.
    await menuOf('first');
    expect(await transcribe.count()).toBe(0);
    await page.keyboard.press('Escape');
    const agent_username = 'ann:provider_b';
    await api.addGroupAgent({ chat_id, agent_username });
    await api.setGroupAgentMode({ chat_id, agent_username, always_on: false });

    // Without a key the app says why nothing was heard.
    await menuOf('first');
    await transcribe.click();
    await page.getByRole('alert').getByText('No agent of this conversation can transcribe').waitFor();
    await api.setAgentKey({ provider: 'provider_b', api_key: KEY });
    stage.world.providers.script(KEY, { chunks: [words] });
    await menuOf('first');
    await transcribe.click();
    for (const one of [ann, bob])
      await one.message('first').getByRole('group', { name: 'Transcript' }).getByText(words).waitFor();
    expect(await findings(page)).toEqual([]);
    await stage.picture('transcript', page);
    expect(await findings(bob.page)).toEqual([]);
    await stage.picture('transcript-phone-dark', bob.page);
    await menuOf('first');
    expect(await transcribe.count()).toBe(0);
    await page.keyboard.press('Escape');

    // A long one is folded.
    const long = `${'word '.repeat(200)}end`;
    stage.world.providers.script(KEY, { chunks: [long] });
    const { id: message_id } = await say('second');
    await ofBob.api.transcribeMessage({ message_id });
    const folded = ann.message('second').locator('[data-transcript]');
    await folded.getByRole('button', { name: 'Show more' }).click();
    await folded.getByText('word end').waitFor();
    await folded.getByRole('button', { name: 'Show less' }).click();
    expect(await folded.getByText('word end').count()).toBe(0);
  });
});
