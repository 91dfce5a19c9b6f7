import type { FakeBlock, ReplyScript } from '@parley/testing/providers/fake-reply.ts';
import { type FakeToolServer, startToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const tools = {
  peek: { title: 'Look up', annotations: { openWorldHint: false }, run: () => 'the balance is 7' },
  pay: { title: 'Pay', run: ({ to }: Record<string, unknown>) => `paid ${String(to)}` },
};
const asking = (...chunks: FakeBlock[]): ReplyScript => ({ chunks, finish: 'tool_use' });
const call = (tool: string, input: object = {}): FakeBlock => ({ call: `bank_${tool}`, input });

async function withTools(work: (stage: Stage, server: FakeToolServer) => Promise<void>): Promise<void> {
  await using server = await startToolServer({ ...tools });
  await withStage(async (stage) => work(stage, server), { env: { TOOL_ENDPOINTS: `public,${server.origin}` } });
}

type Options = Parameters<Stage['person']>[1];

/** Ann, whose agent has looked something up, paid once after a question and always since, and was once refused. */
async function scene(stage: Stage, server: FakeToolServer, options: Options = {}) {
  const ann = await stage.person('ann', options);
  const { api } = await ann.actor();
  const agent = await ann.agent('key');
  const listed = [
    { name: 'peek', writes: false },
    { name: 'pay', writes: true },
  ];
  await api.setAgentTools({
    username: agent,
    servers: [{ name: 'bank', url: server.url, identity: 'none', auth: 'none', approval: 'writes', tools: listed }],
  });
  const { id: chat_id } = await api.startChat({ username: agent });
  const ask = async (tool: string, input: object, option?: string) => {
    const answers = [asking(call(tool, input)), { chunks: ['Done.'] }];
    stage.world.providers.script('key', () => answers.shift() ?? { chunks: ['Nothing more.'] });
    await api.sendMessage({ chat_id, text: 'please' });
    await stage.world.turnsEnded();
    if (option === undefined) return;
    const [open] = (await api.getDecisions({ state: 'open' })).items;
    await api.decide({ decision_id: open?.decision?.id ?? '', option });
    await stage.world.turnsEnded();
  };
  const openPage = async () => ann.page.goto(new URL('/settings/calls', ann.page.url()).href);
  return { ann, page: ann.page, api, agent, chat_id, ask, openPage };
}

const rows = (page: Page) => page.locator('[data-call]');

inChromium(
  'WEB-494: what agents did is listed with state and account, filtered, unfolded by the keyboard, and leads to the reply; what is allowed is taken back',
  async () => {
    await withTools(async (stage, server) => {
      const { ann, page, api, chat_id, ask, openPage } = await scene(stage, server);
      await openPage();
      await page.getByText('No agent has used a tool for you yet.', { exact: false }).waitFor();
      await page.getByText('You haven’t allowed anything in advance', { exact: false }).waitFor();
      expect(await page.getByLabel('State').count()).toBe(0);
      await stage.picture('calls-empty', page);

      await ask('peek', { account: 'savings' });
      await ask('pay', { to: 'bob', note: { lines: ['for', 'bread'] } }, 'decline');
      await ask('pay', { to: 'cleo' }, 'always');
      await ask('pay', { to: 'dora' });
      await page.reload();
      await rows(page).nth(3).waitFor();
      const line = (await rows(page).first().innerText()).replaceAll(/\s+/g, ' ');
      expect(line).toMatch(/^Pay .* Done · Claude of Ann · ann · without an account$/);
      await stage.picture('calls', page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      expect(await findings(page, ['color-contrast'])).toEqual([]);
      await stage.picture('calls-phone-dark', page);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1_280, height: 900 });
      await page.getByLabel('State').selectOption('Denied');
      await expect.poll(async () => rows(page).count()).toBe(1);
      await page.getByLabel('State').selectOption('Expired');
      await page.getByText('There is nothing of this kind', { exact: false }).waitFor();
      await page.getByLabel('State').selectOption('All');
      await expect.poll(async () => rows(page).count()).toBe(4);

      // By the keyboard.
      await rows(page).nth(2).locator('summary').focus();
      await page.keyboard.press('Enter');
      const refused = rows(page).nth(2);
      await refused.getByRole('row', { name: 'to bob' }).waitFor();
      await refused.getByText('Don’t allow', { exact: false }).waitFor();
      expect(await refused.getByText('bread', { exact: false }).count()).toBe(1);
      await rows(page).nth(3).locator('summary').click();
      await rows(page).nth(3).getByText('the balance is 7').waitFor();
      expect(await findings(page)).toEqual([]);
      await stage.picture('calls-unfolded', page);

      const [grant] = (await api.getToolGrants({})).items;
      expect(grant).toMatchObject({ where: 'always' });
      await page.getByText('in every conversation', { exact: false }).waitFor();
      await page.getByText('last used on', { exact: false }).waitFor();
      await page.getByRole('button', { name: 'Take back that Claude of Ann · ann may use Pay' }).click();
      await page.getByText('You haven’t allowed anything in advance', { exact: false }).waitFor();
      expect((await api.getToolGrants({})).items).toEqual([]);

      await refused.getByRole('link', { name: 'Show in chat' }).click();
      await ann.timeline.waitFor();
      expect(page.url()).toContain(chat_id);
    });
  },
);

inChromium('WEB-494: it is whole on a phone, in both themes and from right to left', async () => {
  await withTools(async (stage, server) => {
    const { page, ask, openPage } = await scene(stage, server, { locale: 'ar', viewport: { width: 390, height: 844 } });
    await ask('peek', { account: 'savings' });
    await ask('pay', { to: 'bob' }, 'chat');
    await openPage();
    await rows(page).nth(1).waitFor();
    await rows(page).first().locator('summary').click();
    await rows(page).first().getByRole('table').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      expect(await findings(page)).toEqual([]);
      await stage.picture(`calls-arabic-${colorScheme}`, page);
    }
    // Words of the app are in its language.
    expect(await page.locator('main').innerText()).not.toMatch(/Done|Allow|Take back|agent/);
  });
});
