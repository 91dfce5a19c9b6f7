import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const KEY = 'key-of-ann';

inChromium('an agent’s owner sets who uses the key, how much, and with which models', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { page } = ann;
    const { api } = await ann.actor();
    const username = await ann.agent(KEY);
    const terms = async () => {
      const { pays_for, allowed_models, asker_daily_tokens } = await api.getMyBotConfig({ username });
      return { pays_for, allowed_models, asker_daily_tokens };
    };
    await page.goto(`${stage.world.url}/settings/agents`);
    const card = page.getByRole('listitem').filter({ hasText: `@${username}` });
    // With the keyboard only.
    await card.getByText('Who may use your key', { exact: true }).focus();
    await page.keyboard.press('Enter');
    const groups = card.getByRole('radio', { name: 'People in its groups' });
    expect(await groups.isChecked()).toBe(true);
    await groups.focus();
    await page.keyboard.press('ArrowLeft');
    await card.getByText('Only you.').waitFor();
    expect(await card.getByRole('radio', { name: 'Nobody' }).isChecked()).toBe(true);
    await card.getByText('Saved').waitFor();
    expect(await terms()).toEqual({ pays_for: 'nobody', allowed_models: [], asker_daily_tokens: 200_000 });

    const tokens = card.getByLabel('Daily tokens for each of them');
    expect(await tokens.inputValue()).toBe('200000');
    await tokens.fill('many');
    await tokens.press('Enter');
    await card.getByRole('alert').getByText('Enter a whole number, or leave it empty.').waitFor();
    await tokens.fill('5,000');
    await card.getByLabel('Models they may choose').fill('small\nlarge\n');
    await stage.picture('key-terms', page);
    await card.getByLabel('Models they may choose').press('Tab');
    await page.keyboard.press('Enter');
    await card.getByText('Saved').waitFor();
    const set = { pays_for: 'nobody', allowed_models: ['small', 'large'], asker_daily_tokens: 5_000 };
    expect(await terms()).toEqual(set);
    await page.reload();
    await card.getByText('Who may use your key', { exact: true }).click();
    expect(await tokens.inputValue()).toBe('5000');
    expect(await card.getByLabel('Models they may choose').inputValue()).toBe('small\nlarge');
  });
});

inChromium('an agent’s owner sees who used how much on the key, also on a phone in the dark theme', async () => {
  await withStage(async (stage) => {
    const phone = {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
      colorScheme: 'dark',
    } as const;
    const ann = await stage.person('ann', phone);
    const { page } = ann;
    const { api } = await ann.actor();
    const agent_username = await ann.agent(KEY);
    stage.world.providers.script(KEY, { chunks: ['ok'], usage: { input: 1_000, output: 500 } });
    stage.world.providers.script('key-of-cid', { chunks: ['ok'], usage: { input: 70, output: 7 } });
    const [bob, cid] = [await stage.world.member('bob'), await stage.world.member('cid')];
    const { id: chat_id } = await api.startChat({ usernames: ['bob', 'cid'], title: 'Plans' });
    await api.addGroupAgent({ chat_id, agent_username });
    await cid.api.setMyBotConfig({ username: agent_username, secrets: { api_key: 'key-of-cid' } });
    for (const who of [bob, cid, bob]) await who.api.sendMessage({ chat_id, text: `@${agent_username} hello` });
    await stage.world.turnsEnded();
    await page.goto(`${stage.world.url}/settings/agents`);
    const card = page.getByRole('listitem').filter({ hasText: `@${agent_username}` });
    await card.getByText('Others used 3,000 on your key.').waitFor();
    await card.getByText('Who used it').click();
    const row = (name: string) => card.getByRole('row').filter({ hasText: name }).getByRole('cell').allInnerTexts();
    expect(await row('@bob')).toEqual(['@bob · Plans', '2,000', '1,000', '3,000', '2']);
    expect(await row('@cid')).toEqual(['@cid · Plans', '70', '7', '0', '1']);
    await card.getByText('Who used it').scrollIntoViewIfNeeded();
    await stage.picture('key-usage-phone', page);
    await card.getByText('Who may use your key', { exact: true }).click();
    await card.getByRole('radio', { name: 'Everyone' }).scrollIntoViewIfNeeded();
    await card.getByRole('radio', { name: 'Everyone' }).tap();
    await card.getByText('Anyone who can chat with this agent').waitFor();
    await stage.picture('key-terms-phone', page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await api.getMyBotConfig({ username: agent_username })).toMatchObject({ pays_for: 'everyone' });
  });
});
