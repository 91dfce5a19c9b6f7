import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const KEY = 'key-of-ann';
const env = {
  PROVIDER_A_MODEL: 'm',
  AGENT_PRICES: '{"currency":"USD","models":{"m":{"input":2.5,"output":10}}}',
};

inChromium('the owner sees what an agent cost, for whom, and is warned of its budget', async () => {
  await withStage(
    async (stage) => {
      const ann = await stage.person('ann');
      const { page } = ann;
      const { api } = await ann.actor();
      const agent_username = await ann.agent(KEY);
      stage.world.providers.script(KEY, { chunks: ['ok'], usage: { input: 60_000, output: 20_000 } });
      stage.world.providers.script('key-of-cid', { chunks: ['ok'], usage: { input: 70, output: 7 } });
      const [bob, cid] = [await stage.world.member('bob'), await stage.world.member('cid')];
      const { id: chat_id } = await api.startChat({ usernames: ['bob', 'cid'], title: 'Plans' });
      await api.addGroupAgent({ chat_id, agent_username });
      await cid.api.setMyBotConfig({ username: agent_username, secrets: { api_key: 'key-of-cid' } });
      await api.setBotConfig({ username: agent_username, monthly_token_cap: 100_000 });
      const card = page.getByRole('listitem').filter({ hasText: `@${agent_username}` });
      await page.goto(`${stage.world.url}/settings/agents`);
      await card.getByText('Who may use your key', { exact: true }).waitFor();
      for (const who of [bob, cid]) await who.api.sendMessage({ chat_id, text: `@${agent_username} hello` });
      await stage.world.turnsEnded();
      await page.getByText(/has used 80,\d\d\d of the 100,000 tokens that you let it use in a month/).waitFor();
      await stage.picture('budget-warning', page);

      await page.goto(`${stage.world.url}/settings/agents`);
      await card.getByText('It’s close to its limit.').waitFor();
      await card.getByText('80,077 of 100,000 tokens this month, in 2 replies, for $0.35 on your key.').waitFor();
      await card.getByText('Who used it').click();
      const row = (name: string) => card.getByRole('row').filter({ hasText: name }).getByRole('cell').allInnerTexts();
      expect(await row('@bob')).toEqual(['@bob · Plans', '60,000', '20,000', '80,000', '$0.35', '1']);
      expect(await row('@cid')).toEqual(['@cid · Plans', '70', '7', '0', '', '1']);
      await stage.picture('usage-prices', page);
      await page.setViewportSize({ width: 390, height: 800 });
      await page.emulateMedia({ colorScheme: 'dark' });
      await card.getByText('Who used it').scrollIntoViewIfNeeded();
      await stage.picture('usage-prices-phone', page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      expect(await findings(page)).toEqual([]);
    },
    { env },
  );
});

inChromium('Settings says of an agent that one made how much of its limit is used', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { page } = ann;
    const { api } = await ann.actor();
    const { username } = await api.createAgent({ slug: 'tutor', display_name: 'Tutor', provider: 'provider_a' });
    await api.setBotConfig({ username, monthly_token_cap: 0 });
    await page.goto(`${stage.world.url}/settings/agents`);
    const card = page.getByRole('listitem').filter({ hasText: `@${username}` });
    await card.getByText('0 of 0 tokens this month').waitFor();
    await card.getByText('Monthly limit, and what others see').click();
    const field = card.getByLabel('Monthly token limit');
    await field.fill('5,000');
    await field.press('Enter');
    await card.getByText('0 of 5,000 tokens this month').waitFor();
    expect(await card.getByRole('meter', { name: 'Share of the limit' }).getAttribute('aria-valuenow')).toBe('0');
  });
});

inChromium('the owner sets the budget of each group; a refused reply says how to go on', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { page } = ann;
    const { api } = await ann.actor();
    const username = await ann.agent(KEY);
    const budget = async () => (await api.getMyBotConfig({ username })).group_monthly_tokens;
    await page.goto(`${stage.world.url}/settings/agents`);
    const card = page.getByRole('listitem').filter({ hasText: `@${username}` });
    await card.getByText('Who may talk to it, and how much').click();
    const field = card.getByLabel('Monthly tokens in each group');
    await field.fill('some');
    await field.press('Enter');
    await card.getByRole('alert').getByText('Enter a whole number, or leave it empty.').waitFor();
    await field.fill('5,000');
    await field.press('Enter');
    await card.getByText('Saved').waitFor();
    expect(await budget()).toBe(5_000);
    await stage.picture('group-budget', page);
    await field.fill('0');
    await field.press('Enter');
    await expect.poll(budget).toBe(0);

    await stage.world.member('bob');
    const { id: chat_id } = await api.startChat({ usernames: ['bob'], title: 'Plans' });
    await api.addGroupAgent({ chat_id, agent_username: username });
    await ann.open(chat_id);
    await ann.say(`@${username} hello`);
    const refused = ann.messages.last();
    await refused
      .getByText(
        'Its tokens for this group are used up for this month. Its owner can allow more, and others can add their own key.',
      )
      .waitFor();
    // The service's own words stay away (WEB-430).
    expect(await refused.innerText()).not.toContain('in this group in a month');
    await stage.picture('group-budget-refusal', page);

    const { username: made } = await api.createAgent({
      slug: 'tutor',
      display_name: 'Tutor',
      provider: 'provider_a',
      group_monthly_tokens: 700,
    });
    await page.goto(`${stage.world.url}/settings/agents/${encodeURIComponent(made)}`);
    await page.getByRole('button', { name: 'Who may use it' }).click();
    const own = page.getByLabel('Monthly tokens in each group');
    expect(await own.inputValue()).toBe('700');
    await stage.picture('group-budget-agent-page', page);
  });
});
