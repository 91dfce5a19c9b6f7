import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

/** Pastes rich text as a browser does. Resolves to whether the app took it. */
const paste = (composer: Locator, html: string, text: string) =>
  composer.evaluate(
    (area, [rich = '', plain = '']) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', rich);
      clipboardData.setData('text/plain', plain);
      return !area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    [html, text],
  );

inChromium('WEB-502: pasted rich text becomes Markdown, in its place in the text, and can be undone', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { id } = await (await ann.actor()).api.startChat({ username: 'ann' });
    await ann.open(id);
    const { page, composer } = ann;
    await composer.fill('before  after');
    await composer.evaluate((area) => (area as HTMLTextAreaElement).setSelectionRange(7, 7));
    await paste(composer, '<b>bold</b>', 'bold');
    await expect.poll(() => composer.inputValue()).toBe('before **bold** after');
    await composer.press('Control+z');
    await expect.poll(() => composer.inputValue()).toBe('before  after');
    await composer.evaluate((area) => (area as HTMLTextAreaElement).setSelectionRange(7, 7));
    await paste(composer, '<ul><li>one<li>two</ul>', 'one two');
    await expect.poll(() => composer.inputValue()).toBe('before \n\n- one\n- two\n\n after');
    // Plain words are pasted as they are.
    await composer.fill('');
    await paste(composer, '<span style="color:red; font-weight:400">a * b</span>', 'a * b');
    await expect.poll(() => composer.inputValue()).toBe('a * b');
    expect(await paste(composer, '<div>no format</div>', 'no format')).toBe(false);
    expect(await page.locator('[data-composer] b, [data-composer] script').count()).toBe(0);
  });
});

inChromium('WEB-502: Ctrl+V of a copied message pastes its Markdown, Ctrl+Shift+V its words', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: 'ann' });
    const text = [
      '## Plan',
      'With **bold**, _slanted_, `code`, ~~old~~, [a link](https://a.example/x) and $x_1^2$ for @ann here.',
      '- one\n- two\n  1. deep',
      'To do:',
      '- [x] done\n- [ ] to do',
      '> quoted\n>\n> twice',
      '```js\nlet a = 1;\n\n  b(a);\n```',
      '| Item | Cost |\n| --- | --- |\n| tea | **5** |',
      'A note.[^1]\n\n[^1]: Of it.',
    ].join('\n\n');
    await api.sendMessage({ chat_id, text });
    await ann.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await ann.open(chat_id);
    const { page, composer } = ann;
    await page.locator('.katex').waitFor();
    const copy = async () => {
      await composer.blur();
      await ann
        .message('Plan')
        .locator('[data-text]')
        .evaluate((element) => getSelection()?.selectAllChildren(element));
      await page.keyboard.press('Control+c');
    };
    await copy();
    await composer.focus();
    await page.keyboard.press('Control+v');
    await expect.poll(() => composer.inputValue()).toBe(text);
    await composer.fill('');
    await page.keyboard.press('Control+Shift+v');
    await expect.poll(() => composer.inputValue()).not.toBe('');
    expect(await composer.inputValue()).not.toContain('**bold**');
  });
});

inChromium(
  'WEB-502: of more than a megabyte of HTML the words are pasted, and long rich text becomes a file',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.person('ann');
      const { id } = await (await ann.actor()).api.startChat({ username: 'ann' });
      await ann.open(id);
      const { page, composer } = ann;
      expect(await paste(composer, `<b>a</b>${' '.repeat(1024 * 1024)}`, 'a')).toBe(false);
      // Within the limit, with more elements than are read: the words are pasted.
      const html = `<b>a</b>${'<div><b>'.repeat(100_000)}`;
      expect(await paste(composer, html, 'the words')).toBe(true);
      await expect.poll(() => composer.inputValue()).toBe('the words');
      // Its words are short, its Markdown is not.
      const links = '<a href="https://a.example/a/long/way/to/go">x</a> '.repeat(400);
      await paste(composer, links, 'x '.repeat(400));
      await page.getByText('The long text is attached as a file.').waitFor();
      await page.locator('[data-upload=done]').waitFor();
      expect(await composer.inputValue()).toBe('the words');
    });
  },
);
