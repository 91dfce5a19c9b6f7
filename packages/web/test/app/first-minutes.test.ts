import { REFUSED_KEY } from '@parley/testing/providers/fake-vendor.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const KEY = 'sk-key-of-ann';
const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, colorScheme: 'dark' } as const;
const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

inChromium(
  'WEB-17: an invite shows its group above the form of a visitor without an account, who joins with the same press',
  async () => {
    await withStage(async (stage) => {
      const bob = await stage.world.member('bob');
      await bob.api.updateProfile({ display_name: 'Bob Baker' });
      const { id: chat_id } = await bob.api.startChat({ usernames: [], title: 'Summer trip' });
      const { token } = await bob.api.createInvite({ chat_id });
      const ann = await stage.browser(phone);
      const { page } = ann;
      await page.goto(`${stage.world.url}/join/${token}`);
      const invite = page.locator('[data-invite]');
      await invite.getByText('Summer trip').waitFor();
      expect(await invite.innerText()).toMatch(/1 member\s+Bob Baker invites you/);
      await page.getByRole('button', { name: 'Create account' }).waitFor();
      expect(await fits(page)).toBe(true);
      expect(await findings(page)).toEqual([]);
      await stage.picture('invite-door-phone', page);
      await page.getByLabel('Username').fill('ann');
      await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
      // The press that makes the account joins too: nothing asks again.
      await page.getByRole('button', { name: 'Create account and join' }).click();
      await page.getByRole('log').getByText('You joined with an invite from Bob Baker').waitFor();
    });
  },
);

inChromium('an invite that has ended says so above the form', async () => {
  await withStage(async (stage) => {
    stage.watch.expect(/404/);
    const { page } = await stage.browser();
    await page.goto(`${stage.world.url}/join/i_${'x'.repeat(43)}`);
    await page.getByText('This invite has expired, was used up or was revoked.').waitFor();
    await page.getByRole('button', { name: 'Create account' }).waitFor();
    await stage.picture('invite-over', page);
  });
});

inChromium('joins that follow one another are one line, which a new one joins', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { page } = ann;
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: [], title: 'Garden' });
    const { token } = await api.createInvite({ chat_id });
    const join = async (name: string) => (await stage.world.member(name)).api.joinChat({ token });
    await ann.open(chat_id);
    await join('ben');
    const notices = page.locator('[data-message][data-row]');
    await page.getByText('ben joined with your invite').waitFor();
    await ann.chat('Garden').getByText('ben joined the group').waitFor();
    for (const name of ['cleo', 'dora', 'emil']) await join(name);
    await page.getByText('ben, cleo and 2 others joined with an invite').waitFor();
    expect(await notices.count()).toBe(1);
    await stage.picture('joins', page);
    await ann.say('Welcome');
    await join('fred');
    await page.getByText('fred joined with your invite').waitFor();
    // The keyboard moves from row to row.
    await notices.last().focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('2 others');
    await page.reload();
    await page.getByText('ben, cleo and 2 others joined with an invite').waitFor();
    expect(await notices.count()).toBe(3);
  });
});

inChromium('a saved key is tried, and the answer is in plain words', async () => {
  await withStage(async (stage) => {
    stage.watch.expect(/status of (?:403|429|503)/);
    const ann = await stage.person('ann');
    const { page } = ann;
    await page.goto(`${stage.world.url}/settings/agents`);
    const card = page.getByRole('listitem').filter({ hasText: 'Anthropic API key' });
    const save = async (key: string) => {
      const another = card.getByRole('button', { name: 'Set a new one' });
      const field = card.getByLabel(/Anthropic API key/);
      await another.or(field).first().waitFor();
      if (await another.isVisible()) await another.click();
      await field.fill(key);
      await card.getByRole('button', { name: 'Save' }).first().click();
    };
    await save(REFUSED_KEY);
    await card.getByText('Anthropic doesn’t accept this key.').waitFor();
    expect(await card.getByRole('button', { name: 'Open chat' }).count()).toBe(0);
    await stage.picture('key-refused', page);
    await save(KEY);
    await card.getByText('The key works.').waitFor();
    // The row below the conversations knows of it at once.
    await page
      .getByRole('region', { name: 'Agents' })
      .getByRole('button', { name: /Say hello$/ })
      .waitFor();
    expect(await findings(page)).toEqual([]);
    await stage.picture('key-works', page);
    await card.getByRole('button', { name: 'Open chat' }).click();
    await ann.composer.waitFor();
    await page.getByText('answers, paid by you').waitFor();
  });
});

inChromium('the two agents of a new account stand below its conversations, until they are used or hidden', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', phone);
    const { page } = ann;
    const agents = page.getByRole('region', { name: 'Agents' });
    await agents
      .getByRole('link', { name: /Add key$/ })
      .first()
      .waitFor();
    expect(await agents.getByRole('listitem').count()).toBe(2);
    expect(await fits(page)).toBe(true);
    expect(await findings(page)).toEqual([]);
    await stage.picture('own-agents-phone', page);
    // A phone on its side has no room for them.
    await page.setViewportSize({ width: 800, height: 390 });
    expect(await agents.isVisible()).toBe(false);
    await page.setViewportSize(phone.viewport);
    await agents.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Agents and keys' }).waitFor();
    await ann.agent(KEY);
    await page.goto(stage.world.url);
    await agents.getByRole('button', { name: /Say hello$/ }).click();
    await ann.composer.waitFor();
    await page.goto(stage.world.url);
    await expect.poll(() => agents.getByRole('listitem').count()).toBe(1);
    await agents.getByRole('button', { name: 'Hide agents' }).click();
    await agents.waitFor({ state: 'detached' });
    await page.reload();
    await ann.chats.waitFor();
    await ann.chats.getByRole('link').nth(1).waitFor();
    expect(await agents.count()).toBe(0);
  });
});

inChromium('an empty group and an empty chat with an agent say how to get an answer, and who pays', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', phone);
    const { page } = ann;
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: [], title: 'Garden' });
    await ann.open(chat_id);
    await page.getByText('Add an agent, mention it, and it answers here.').waitFor();
    const agent = await ann.agent(KEY);
    await page.getByRole('button', { name: 'Add an agent' }).click();
    await page.getByRole('menuitem', { name: '@ann:provider_a' }).click();
    await page.getByText('Mention an agent to get an answer').waitFor();
    expect(await fits(page)).toBe(true);
    expect(await findings(page)).toEqual([]);
    await stage.picture('empty-group-phone', page);
    await page.getByRole('button', { name: '@Claude of Ann · ann Introduce' }).click();
    await expect.poll(() => ann.composer.inputValue()).toBe(`@${agent} Introduce yourself in one sentence.`);
    expect(await ann.messages.count()).toBe(0);

    stage.world.providers.script(KEY, { chunks: ['Hello Ann!'] });
    const direct = await api.startChat({ username: agent });
    await ann.open(direct.id);
    await page.getByText('answers, paid by you.').waitFor();
    await stage.picture('empty-agent-phone', page);
    await page.getByRole('button', { name: 'Say hello' }).click();
    await ann.message('Hello Ann!').waitFor();
    const other = await api.startChat({ username: 'ann:provider_b' });
    await ann.open(other.id);
    await page.getByText('can’t answer without a key.').waitFor();
    await page.getByRole('button', { name: 'Add key' }).click();
    const field = page.getByLabel('OpenAI API key');
    await field.waitFor();
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
  });
});

inChromium('the username follows the name until it is typed, and the password can be shown', async () => {
  await withStage(async (stage) => {
    const { page } = await stage.browser();
    const username = page.getByLabel('Username');
    const password = page.getByLabel('Password', { exact: true });
    await page.getByLabel('Your name').fill('Zoë Müller');
    expect(await username.inputValue()).toBe('zoe_muller');
    await password.fill('correct horse');
    await page.getByRole('button', { name: 'Show password' }).click();
    expect(await password.getAttribute('type')).toBe('text');
    expect(await findings(page)).toEqual([]);
    await stage.picture('door-filled', page);
    await page.getByRole('button', { name: 'Hide password' }).click();
    expect(await password.getAttribute('type')).toBe('password');
    await username.fill('zoe');
    await page.getByLabel('Your name').fill('Zoë M.');
    expect(await username.inputValue()).toBe('zoe');
    await page.getByRole('button', { name: 'Create account', exact: true }).click();
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
  });
});

inChromium('“Add key” leads to the field of that agent’s key, in view and with the focus', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { page } = ann;
    const agents = page.getByRole('region', { name: 'Agents' });
    for (const [agent, label] of [
      ['GPT', 'OpenAI API key'],
      ['Claude', 'Anthropic API key'],
    ] as const) {
      await agents.getByRole('link', { name: agent }).click();
      const field = page.getByLabel(label);
      await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
      await expect
        .poll(() => field.evaluate((input) => input.getBoundingClientRect().bottom < innerHeight - 100))
        .toBe(true);
      await stage.picture(`wanted-key-${agent}`, page);
    }

    // An agent that the user made answers with the same key.
    const { api } = await ann.actor();
    await api.createAgent({ slug: 'cook', display_name: 'Cook', provider: 'provider_b' });
    await ann.open((await api.startChat({ username: 'ann:cook' })).id);
    await page.getByRole('button', { name: 'Add key' }).click();
    const shared = page.getByLabel('OpenAI API key');
    await expect.poll(() => shared.evaluate((input) => input === document.activeElement)).toBe(true);

    // Below a reply of a deleted agent no link remains.
    await page.goBack();
    await ann.say('Hello');
    const settings = page.getByRole('link', { name: 'Open agent settings' });
    await settings.waitFor();
    await api.deleteAgent({ username: 'ann:cook' });
    await page.reload();
    await page.getByText('It needs an API key to answer here.').waitFor();
    await expect.poll(() => settings.count()).toBe(0);

    // Of another's agent, whose reply failed for want of a key, it is the user's own key.
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Garden' });
    await bob.api.addGroupAgent({ chat_id, agent_username: 'bob:provider_b', always_on: true });
    await ann.open(chat_id);
    await ann.say('Hello');
    await page.getByRole('button', { name: 'Open agent settings' }).click();
    await page.getByRole('dialog').getByLabel('API key').waitFor();
  });
});

inChromium('“Invite people” shows a link that works, the same the next time', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', phone);
    const { page } = ann;
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: [], title: 'Garden' });
    // A link for one person is not for everyone.
    await api.createInvite({ chat_id, max_uses: 1 });
    await ann.open(chat_id);
    const dialog = page.getByRole('dialog', { name: 'Invite people' });
    const shownLink = async () => {
      await page.getByRole('log').getByRole('button', { name: 'Invite people' }).click();
      await dialog.getByText('Anyone with the link can join, until').waitFor();
      return dialog.getByRole('textbox', { name: 'Invite link' }).inputValue();
    };
    const link = await shownLink();
    await dialog.getByRole('button', { name: 'Copy link' }).waitFor();
    expect(await fits(page)).toBe(true);
    expect(await findings(page)).toEqual([]);
    await stage.picture('invite-people-phone', page);
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    expect(await shownLink()).toBe(link);
    const bob = await stage.world.member('bob');
    await bob.api.joinChat({ token: new URL(link).pathname.split('/').at(-1) ?? '' });
    expect((await api.getInvites({ chat_id })).items).toHaveLength(2);
  });
});

inChromium('WEB-338: notifications are offered once, after the first message, and can be declined', async () => {
  await withStage(
    async (stage) => {
      const ann = await stage.person('ann');
      const { page } = ann;
      const { id: chat_id } = await (await ann.actor()).api.startChat({ username: 'ann' });
      await ann.open(chat_id);
      const offer = page.getByText('Get notified when somebody answers?');
      // Headless Chromium cannot ask for permission: the test sets the answer.
      await page.evaluate(() => Object.defineProperty(Notification, 'permission', { value: 'default' }));
      await page.waitForLoadState('networkidle');
      await ann.say('A note');
      await offer.waitFor();
      expect(await findings(page)).toEqual([]);
      await stage.picture('notification-offer', page);
      await page.getByRole('button', { name: 'Not now' }).click();
      await offer.waitFor({ state: 'detached' });
      await page.reload();
      await ann.composer.waitFor();
      await page.evaluate(() => Object.defineProperty(Notification, 'permission', { value: 'default' }));
      await page.waitForLoadState('networkidle');
      await ann.say('Another note');
      await expect.poll(() => ann.messages.count()).toBe(2);
      expect(await offer.count()).toBe(0);
    },
    { env: { WEB_PUSH: 'made' } },
  );
});
