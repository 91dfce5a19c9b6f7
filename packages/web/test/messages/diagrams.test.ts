import { DaemonStream } from '@parley/testing/world/daemon-stream.ts';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const source = `sequenceDiagram
  Ann->>Guide: How does a turn end?
  Guide-->>Ann: With messageComplete`;
const fenced = (text: string) => `\`\`\`mermaid\n${text}\n\`\`\``;

inChromium('WEB-176: a finished diagram is drawn, in both themes, with a switch to its source', async () => {
  for (const colorScheme of ['light', 'dark'] as const)
    await withStage(async (stage) => {
      const ann = await stage.person('ann', {
        colorScheme,
        ...(colorScheme === 'dark' && { viewport: { width: 390, height: 844 } }),
      });
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ usernames: [], title: 'Diagrams' });
      const bot = await stage.world.bot(await ann.actor(), 'drawer');
      await api.addGroupAgent({ chat_id, agent_username: bot.username });
      await ann.open(chat_id);
      const reply = new DaemonStream(bot.api, await bot.api.startMessageStream({ chat_id }));
      await reply.append(`\`\`\`mermaid\n${source}`);
      const block = ann.page.locator('figure');
      await expect.poll(() => block.locator('code').textContent()).toContain('messageComplete');
      expect(await block.getByRole('img').count()).toBe(0);
      await reply.append('\n```');
      await reply.finish();

      const image = block.getByRole('img');
      await expect.poll(() => image.count()).toBe(1);
      await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(200);
      expect(await findings(ann.page)).toEqual([]);
      await stage.picture(`diagram-${colorScheme}`, ann.page);
      const inLight = await image.getAttribute('src');
      await ann.page.emulateMedia({ colorScheme: colorScheme === 'dark' ? 'light' : 'dark' });
      await expect.poll(() => image.getAttribute('src')).not.toBe(inLight);

      await block.getByRole('button', { name: 'Source' }).click();
      expect(await block.locator('code').textContent()).toBe(source);
      await block.getByRole('button', { name: 'Diagram' }).click();
      await expect.poll(() => image.isVisible()).toBe(true);
    });
});

inChromium('WEB-631: a diagram has the colours of the app, is shown whole, and can be enlarged', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: [], title: 'Diagrams' });
    const steps = Array.from({ length: 12 }, (_, at) => `s${at}[Step ${at}]`).join(' --> ');
    await api.sendMessage({ chat_id, text: fenced(`flowchart LR\n  ${steps}`) });
    await ann.open(chat_id);
    const image = ann.page.locator('figure').getByRole('img');
    await image.waitFor();
    const drawing = decodeURIComponent((await image.getAttribute('src')) ?? '');
    // The ground and the edge of a step: --accent-soft and --accent of the dark theme.
    expect(drawing).toContain('#23352f');
    expect(drawing).toContain('#6fcbb2');
    const natural = await image.evaluate((element: HTMLImageElement) => element.naturalWidth);
    const { x = 0, width = 0 } = (await image.boundingBox()) ?? {};
    expect(natural).toBeGreaterThan(390);
    expect(x).toBeGreaterThan(0);
    expect(x + width).toBeLessThan(390);

    await ann.page.getByRole('button', { name: 'Enlarge' }).click();
    const large = ann.page.getByRole('dialog', { name: 'Diagram' });
    const widthOf = async () => (await large.getByRole('img').boundingBox())?.width;
    await expect.poll(widthOf).toBe(natural);
    await stage.picture('diagram-enlarged', ann.page);
    await large.getByRole('button', { name: 'Zoom out' }).click();
    await expect.poll(widthOf).toBe(natural * 0.75);
    await ann.page.keyboard.press('Escape');
    await large.waitFor({ state: 'detached' });
  });
});

inChromium(
  'WEB-176: what is no diagram stays code, and a diagram can neither run scripts nor ask for anything',
  async () => {
    await withStage(async (stage) => {
      // The policy of the frame's page.
      stage.watch.expect(/Executing inline event handler violates/);
      const ann = await stage.person('ann');
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ usernames: [], title: 'Diagrams' });
      const hostile = `flowchart LR
      a["<img src='https://evil.example/a.png' onerror='parent.stolen=1'>"] --> b["<script>parent.stolen=1</script>"]
      click a href "javascript:parent.stolen=1"
      style b fill:url(https://evil.example/b.svg)
      classDef c background:url(https://evil.example/c.png)`;
      const config = `%%{init: {"securityLevel": "loose", "themeCSS": "@import url(https://evil.example/d.css);"}}%%
      flowchart LR
      x --> y`;
      for (const text of [fenced('no diagram at all'), fenced('x --> y\n'.repeat(3_000))])
        await api.sendMessage({ chat_id, text });
      for (const text of [hostile, config, 'flowchart LR\n  last --> one'])
        await api.sendMessage({ chat_id, text: fenced(text) });
      await ann.open(chat_id);
      // Drawings are made in turn: when the last one is there, all others are decided.
      await expect.poll(() => ann.page.locator('figure').last().getByRole('img').count()).toBe(1);
      expect(await ann.page.getByText('no diagram at all').isVisible()).toBe(true);
      expect(await ann.page.evaluate(() => 'stolen' in window)).toBe(false);
      const frame = ann.page.frames().find((one) => one !== ann.page.mainFrame());
      expect(await frame?.evaluate(() => origin)).toBe('null');
    });
  },
);
