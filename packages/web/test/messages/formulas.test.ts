import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const raw = String.raw;
const text = raw`Euler: \(e^{i\pi} + 1 = 0\), and $x_1 \le x_2$ from $5 to $10.

\[
\int_0^1 f(x)\,dx = \frac{\sqrt{a^2 + b^2}}{2} \\[2pt]
\]

$$\sum_{n=1}^{\infty} \frac{1}{n^2} = \frac{\pi^2}{6} = 1.644934\ldots + \begin{pmatrix} a & b \\ c & d \end{pmatrix}$$

Broken: \(\nosuchmacro{1}\). A link: \(\href{https://evil.example}{x}\).`;

inChromium('TEXT-9: formulas are drawn, also for screen readers; what KaTeX refuses stays as written', async () => {
  for (const colorScheme of ['light', 'dark'] as const)
    await withStage(async (stage) => {
      const ann = await stage.person('ann', {
        colorScheme,
        ...(colorScheme === 'dark' && { viewport: { width: 390, height: 844 } }),
      });
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ usernames: [], title: 'Mathematics' });
      await api.sendMessage({ chat_id, text });
      await ann.open(chat_id);
      const message = ann.page.locator('[data-text]').last();
      await expect.poll(() => message.locator('math').count()).toBe(5);
      expect(await message.getByText('from $5 to $10').count()).toBe(1);
      expect(await message.getByText(raw`\(\nosuchmacro{1}\)`).isVisible()).toBe(true);
      expect(await message.locator('a').count()).toBe(0);
      const copied = await message.evaluate((element) => {
        const selection = getSelection();
        selection?.selectAllChildren(element);
        return String(selection);
      });
      for (const piece of [raw`\(e^{i\pi} + 1 = 0\)`, raw`$x_1 \le x_2$`, raw`\int_0^1 f(x)\,dx`, raw`$$\sum_{n=1}`])
        expect(copied).toContain(piece);
      expect(copied.match(/Euler/g)).toHaveLength(1);
      expect(copied).not.toContain('π');
      const isInside = await message.evaluate((element) => element.scrollWidth <= element.clientWidth + 1);
      expect(isInside).toBe(true);
      expect(await findings(ann.page)).toEqual([]);
      await stage.picture(`formulas-${colorScheme}`, ann.page);
    });
});

inChromium('TEXT-9: a formula stops no page and draws over no other message; a wide one is scrolled', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', { viewport: { width: 390, height: 844 } });
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: [], title: 'Mathematics' });
    const bomb = raw`\[\def\a{${'x'.repeat(600)}}${raw`\a `.repeat(100)}\]`;
    await api.sendMessage({ chat_id, text: bomb });
    await api.sendMessage({ chat_id, text: 'the message above' });
    await api.sendMessage({ chat_id, text: raw`# $\smash{\raisebox{3em}{OVER}}$ high` });
    const wide = raw`\(\frac{${'a + b + c + '.repeat(12)}d}{2}\)`;
    await api.sendMessage({ chat_id, text: `so ${wide}` });
    await ann.open(chat_id);
    const texts = ann.page.locator('[data-text]');
    const group = texts.last().getByRole('group', { name: 'Formula' });
    await group.waitFor();
    expect(await group.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
    expect(await ann.page.getByText(raw`\def`).count()).toBe(1);
    const isOver = await ann.page.getByText('the message above').evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) !== element;
    });
    expect(isOver).toBe(false);
    await stage.picture('formulas-hostile', ann.page);
  });
});

inChromium('a table is copied as CSV; prose has short lines, and code the whole width', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', { permissions: ['clipboard-read', 'clipboard-write'] });
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: [], title: 'Tables' });
    const bot = await stage.world.bot(await ann.actor(), 'writer');
    await api.addGroupAgent({ chat_id, agent_username: bot.username });
    const prose = 'Many words stand here, one after the other. '.repeat(20);
    const table = '| Name | Price, net |\n|---|--:|\n| **Tea** "green" | 5 |\n| Coffee | 7 |\n| Water |';
    await bot.api.sendMessage({ chat_id, text: `${prose}\n\n${table}\n\n\`\`\`\n${'wide '.repeat(60)}\n\`\`\`` });
    await ann.open(chat_id);
    await ann.page.getByRole('button', { name: 'Copy as CSV' }).click();
    await ann.page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await ann.page.evaluate(() => navigator.clipboard.readText());
    expect(copied.replaceAll('\r', '')).toBe('Name,"Price, net"\n"Tea ""green""",5\nCoffee,7\nWater,\n');
    const widthOf = (selector: string) =>
      ann.page
        .locator(`[data-text] ${selector}`)
        .first()
        .evaluate((element) => element.getBoundingClientRect().width);
    expect(await widthOf('p')).toBeLessThan((await widthOf('figure:has(pre)')) - 50);
    await stage.picture('table', ann.page);
  });
});
