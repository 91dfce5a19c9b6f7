import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('a long pasted text becomes a file, which can be pasted as text instead', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: 'ann' });
    await ann.open(chat_id);
    const { page, composer } = ann;
    /** Whether the app has taken the pasted text. */
    const paste = (text: string) =>
      composer.evaluate((area, pasted) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', pasted);
        return !area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      }, text);
    const long = 'a line\n'.repeat(1_400);
    expect(await paste('short')).toBe(false);
    await composer.fill('before after');
    await composer.evaluate((area) => (area as HTMLTextAreaElement).setSelectionRange(7, 7));
    expect(await paste(long)).toBe(true);
    await page.getByText('The long text is attached as a file.').waitFor();
    await stage.picture('long-paste', page);
    await page.getByRole('button', { name: 'Paste as text' }).click();
    await expect.poll(() => composer.inputValue()).toBe(`before ${long}after`);
    expect(await page.locator('[data-upload]').count()).toBe(0);

    await composer.fill('here it is');
    await paste(long);
    await page.locator('[data-upload=done]').waitFor();
    await composer.press('Enter');
    await ann.message('here it is').waitFor();
    await expect
      .poll(async () => (await api.getChatHistory({ chat_id })).items)
      .toMatchObject([
        { content: 'here it is', attachments: [{ name: 'Pasted text.txt', mime_type: 'text/plain', size: 9_800 }] },
      ]);
  });
});
