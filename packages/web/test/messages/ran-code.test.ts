import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const code = `const rows = parseCsv(readText('sales.csv'));
saveFile('sales.png', chart({ xAxis: { type: 'category', data: rows.map(({ month }) => month) }, yAxis: {},
  series: [{ type: 'bar', data: rows.map(({ sum }) => Number(sum)) }] }));
console.log(rows.length, 'rows');`;

inChromium(
  'CODE-12: a reply shows the code that its agent ran, in colours, what it read, and the chart that it drew',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.person('ann');
      const { api } = await ann.actor();
      const agent = await ann.agent('key');
      await api.updateAgent({ username: agent, built_in_tools: ['run_code'] });
      const { id: chat_id } = await api.startChat({ username: agent });
      const file = await api.uploadFile({ file: new File(['month,sum\nMay,3\nJune,5\n'], 'sales.csv') });
      const scripts = [
        { chunks: [{ call: 'run_code', input: { code, files: ['sales.csv'] } }], finish: 'tool_use' },
        { chunks: [{ call: 'run_code', input: { code: 'return 6 * 7;' } }], finish: 'tool_use' },
        { chunks: ['Here is the chart.'] },
      ];
      stage.world.providers.script('key', () => scripts.shift() ?? { chunks: ['Nothing more.'] });
      await ann.open(chat_id);
      await api.sendMessage({ chat_id, text: 'Draw it', attachments: [{ id: file.id }] });
      await stage.world.turnsEnded();
      await ann.message('Here is the chart.').waitFor();
      const cards = ann.timeline.getByRole('group', { name: 'Tool: Run code' });
      const [drawn, computed] = [cards.first(), cards.last()];
      await drawn.getByRole('button').first().click();
      await drawn.getByText('It read sales.csv.').waitFor();
      const shown = drawn.getByLabel('Code, javascript');
      expect((await shown.innerText()).trim()).toBe(code);
      // Colours: several kinds of tokens.
      await expect.poll(async () => shown.locator('code span span').count()).toBeGreaterThan(5);
      expect(await drawn.getByText('Output', { exact: true }).count()).toBe(0);
      await computed.getByRole('button').first().click();
      await computed.getByText('Returned: 42').waitFor();
      await ann.timeline.locator('img[alt="sales.png"]').first().waitFor();
      expect(await findings(ann.page, ['button-name', 'color-contrast', 'scrollable-region-focusable'])).toEqual([]);
    });
  },
);

inChromium('CODE-12, WEB-494: the list of calls shows code as code', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { api } = await ann.actor();
    const agent = await ann.agent('key');
    await api.updateAgent({ username: agent, built_in_tools: ['run_code'] });
    const { id: chat_id } = await api.startChat({ username: agent });
    const scripts = [
      { chunks: [{ call: 'run_code', input: { code: 'return 6 * 7;' } }], finish: 'tool_use' },
      { chunks: ['It is 42.'] },
    ];
    stage.world.providers.script('key', () => scripts.shift() ?? { chunks: ['Nothing more.'] });
    await api.sendMessage({ chat_id, text: 'Compute' });
    await stage.world.turnsEnded();
    await ann.page.goto(new URL('/settings/calls', ann.page.url()).href);
    await ann.page.getByText('Run code').first().click();
    await ann.page.getByLabel('Code, javascript').getByText('return').waitFor();
  });
});
