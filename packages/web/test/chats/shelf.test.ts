import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const KEY = 'key-of-bob';
const env = {
  PROVIDER_A_MODEL: 'm',
  AGENT_PRICES: '{"currency":"USD","models":{"m":{"input":2500,"output":10000}}}',
};

/** Bob has agents of each audience, and a group with Ann in which two of them are. */
async function scene(stage: Stage, options: Parameters<Stage['person']>[1] = {}) {
  const [ann, bob] = await Promise.all([stage.person('ann', options), stage.person('bob', options)]);
  const { api } = await bob.actor();
  await bob.agent(KEY);
  const provider = 'provider_a';
  const made = [
    ['diary', 'private', 'Quiet diary', 'Keeps what I think'],
    ['tutor', 'groups', 'Tutor', 'Explains things in small steps'],
    ['coach', 'public', 'Coach', 'Plans your training'],
  ] as const;
  for (const [slug, visibility, display_name, description] of made)
    await api.createAgent({ slug, provider, visibility, display_name, description });
  const { id: chat_id } = await api.startChat({ usernames: ['ann'], title: 'Plans' });
  for (const slug of ['diary', 'tutor'])
    await api.addGroupAgent({ chat_id, agent_username: `bob:${slug}`, always_on: false });
  return { ann, bob, chat_id, bobs: api, anns: (await ann.actor()).api };
}

inChromium('WEB-543: the page of agents has those that one may use: whose, what for, who pays, and where', async () => {
  await withStage(
    async (stage) => {
      const { ann, bob, chat_id, anns } = await scene(stage);
      stage.world.providers.script(KEY, { chunks: ['Step one.'], usage: { input: 1_200, output: 340 } });
      await anns.sendMessage({ chat_id, text: '@bob:tutor how do I knit?' });
      await stage.world.turnsEnded();
      const { page } = ann;
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('menuitem', { name: 'Browse agents' }).click();
      await page.waitForURL('**/agents');
      const card = (username: string) => page.locator(`[data-agent="${username}"]`);
      const tutor = card('bob:tutor');
      await tutor.getByText('Explains things in small steps').waitFor();
      expect(await tutor.getByRole('button', { name: 'Tutor', exact: true }).count()).toBe(1);
      for (const text of ['by Bob · @bob:tutor', 'Bob pays for its replies to you. Takes part in Plans.'])
        await tutor.getByText(text).waitFor();
      await card('bob:coach').getByText('It needs an API key of yours to answer you.').waitFor();
      // Nobody else's private agent, and not the two of one's own that have no key.
      expect(
        await page.locator('[data-agent]').evaluateAll((all) => all.map((one) => one.getAttribute('data-agent'))),
      ).toEqual(expect.not.arrayContaining(['bob:diary', 'ann:provider_a', 'ann:provider_b']));
      expect(await tutor.getByRole('button', { name: 'Add to a group' }).count()).toBe(0);
      expect(await findings(page)).toEqual([]);
      await stage.picture('shelf', page);
      await page.getByLabel('Search agents').fill('coa');
      await tutor.waitFor({ state: 'detached' });
      await page.getByLabel('Search agents').fill('nothing');
      await page.getByText('No agent matches “nothing”.').waitFor();
      await page.getByLabel('Search agents').fill('coa');
      await card('bob:coach').getByRole('button', { name: 'Chat with Coach' }).click();
      await ann.composer.waitFor();

      // Its owner sees who used it and what that cost, and may add it to groups.
      await bob.page.goto(`${stage.world.url}/agents`);
      const own = bob.page.locator('[data-agent="bob:tutor"]');
      await own.getByText('Used this month by Ann. Your cost: $6.40. A reply costs you about $6.40.').waitFor();
      await bob.page.locator('[data-agent="bob:coach"]').getByRole('button', { name: 'Add to a group' }).click();
      await bob.page.getByRole('button', { name: 'Add to Plans' }).click();
      await bob.page.getByText('Added', { exact: true }).waitFor();
      await bob.page.keyboard.press('Escape');
      await bob.page.locator('[data-agent="bob:coach"]').getByText('Takes part in Plans.').waitFor();
      await stage.picture('shelf-owner', bob.page);
    },
    { env },
  );
});

inChromium('WEB-543: who pays for the replies of somebody else’s agent sees what one costs', async () => {
  await withStage(
    async (stage) => {
      const { ann, bob, anns } = await scene(stage);
      const { id: chat_id } = await anns.startChat({ username: 'bob:coach' });
      await anns.setMyBotConfig({ username: 'bob:coach', secrets: { api_key: 'key-of-ann' } });
      for (const usage of [
        { input: 1_000, output: 100 },
        { input: 3_000, output: 100 },
      ]) {
        stage.world.providers.script('key-of-ann', { chunks: ['Run.'], usage });
        await anns.sendMessage({ chat_id, text: 'what now?' });
        await stage.world.turnsEnded();
      }
      await ann.page.goto(`${stage.world.url}/agents`);
      const card = (person: typeof ann) => person.page.locator('[data-agent="bob:coach"]');
      await card(ann).getByText('Its replies to you use your own key. A reply costs you about $6.00.').waitFor();
      await stage.picture('shelf-reply-cost', ann.page);
      // The agent's owner does not learn what others pay.
      await bob.page.goto(`${stage.world.url}/agents`);
      await card(bob).getByText('Used this month by Ann.').waitFor();
      expect(await card(bob).getByText('$').count()).toBe(0);
    },
    { env },
  );
});

inChromium(
  'WEB-544: the page of agents is in the palette and beside a new conversation, and leads to a new agent',
  async () => {
    await withStage(async (stage) => {
      const { page } = await stage.person('ann');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('all agents');
      await page.getByRole('option', { name: 'Browse agents' }).click();
      await page.waitForURL('**/agents');
      await page.getByLabel('Search agents').waitFor();
      await page.getByRole('button', { name: 'New conversation' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Browse agents' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'New agent' }).click();
      await page.waitForURL('**/settings/agents/new');
    });
  },
);

inChromium('WEB-540, WEB-541: a name or a face opens a profile, with what one may do', async () => {
  await withStage(async (stage) => {
    const { ann, chat_id, bobs } = await scene(stage);
    await bobs.updateProfile({ bio: 'Knits in the evening' });
    await bobs.setStatus({ emoji: '🧶', text: 'Knitting' });
    await bobs.sendMessage({ chat_id, text: 'Ask @bob:diary and @bob:tutor' });
    const { page } = ann;
    await ann.open(chat_id);
    const dialog = page.getByRole('dialog', { name: 'Profile' });
    // Once both agents have answered, nothing moves under the pointer any more.
    await expect.poll(() => ann.messages.count()).toBe(3);
    const message = ann.messages.first();
    await message.getByRole('button', { name: 'Bob', exact: true }).click();
    for (const text of ['Knits in the evening', 'Knitting', '@bob'])
      await dialog.getByText(text, { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Plans' }).waitFor();
    expect(await inDialog(page)).toEqual([]);
    await stage.picture('profile-person', page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // The face.
    await message.locator('[data-initials]').first().click();
    await dialog.getByRole('button', { name: 'Block' }).click();
    await page.getByRole('dialog', { name: 'Block Bob' }).getByRole('button', { name: 'Block' }).click();
    await dialog.getByText('You blocked Bob. Neither of you can write here.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Message Bob' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Unblock' }).click();
    await dialog.getByRole('button', { name: 'Message Bob' }).waitFor();
    await page.keyboard.press('Escape');

    // An agent that one may not talk to alone: its profile says so.
    const ofMention = async (username: string) => {
      await message.getByTitle(`@${username}`, { exact: true }).click();
      await page.getByRole('menuitem', { name: 'Profile' }).click();
      await dialog.waitFor();
    };
    await ofMention('bob:diary');
    await dialog.getByText('This agent is private. Ask its owner').waitFor();
    await dialog.getByText('Only its owner', { exact: true }).waitFor();
    expect(await dialog.getByRole('button', { name: /^Message/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await ofMention('bob:tutor');
    for (const text of ['This is Bob’s agent.', 'Explains things in small steps', 'People in its groups'])
      await dialog.getByText(text, { exact: true }).waitFor();
    await dialog.getByText('Bob pays for its replies to you.').waitFor();
    expect(await inDialog(page)).toEqual([]);
    await stage.picture('profile-agent', page);
    await dialog.getByRole('button', { name: 'Message Tutor' }).click();
    await dialog.waitFor({ state: 'detached' });
    await ann.composer.waitFor();
    await page.getByRole('heading', { name: 'Tutor · bob' }).first().waitFor();

    // In the list of members too.
    await ann.open(chat_id);
    await expect.poll(() => ann.messages.count()).toBe(3);
    await page.locator('header').getByRole('button', { name: 'Details' }).last().click();
    await page.getByRole('complementary', { name: 'Details' }).getByRole('button', { name: /@bob$/ }).first().click();
    await dialog.getByRole('button', { name: 'Plans' }).waitFor();
  });
});

/** What axe finds, apart from the mentions behind the dialog, whose names stand in their style. */
const inDialog = async (page: Page) => (await findings(page)).filter((finding) => !finding.includes('_mention_'));

/** The left edge of a box, or its right one. */
const edge = (box: { x: number; width: number } | null | undefined, side: 0 | 1 = 0): number =>
  box ? box.x + side * box.width : Number.NaN;

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true } as const;
for (const [name, options] of Object.entries({
  dark: { ...phone, colorScheme: 'dark' },
  arabic: { ...phone, locale: 'ar' },
} as const))
  inChromium(`WEB-540, WEB-543: profiles and the page of agents fit a phone, ${name}`, async () => {
    await withStage(async (stage) => {
      const { ann, chat_id, bobs } = await scene(stage, { ...options, reducedMotion: 'reduce' });
      await bobs.sendMessage({ chat_id, text: 'Hello' });
      const { page } = ann;
      await page.goto(`${stage.world.url}/agents`);
      await page.locator('[data-agent="bob:tutor"]').waitFor();
      const isWide = async () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect(await isWide()).toBe(false);
      await stage.picture(`shelf-${name}`, page);
      // The name begins beside the picture, where lines begin.
      const [face, word] = await Promise.all(
        ['[data-initials]', 'bdi'].map(async (part) =>
          page.locator(`[data-agent="bob:tutor"] ${part}`).first().boundingBox(),
        ),
      );
      const gap = name === 'arabic' ? edge(face) - edge(word, 1) : edge(word) - edge(face, 1);
      expect(gap).toBeLessThan(20);
      await page.locator('[data-agent="bob:tutor"] button').first().tap();
      const dialog = page.getByRole('dialog');
      await dialog.locator('dl').waitFor();
      const { y = 0, height = 0 } = (await dialog.boundingBox()) ?? {};
      expect(Math.round(y + height)).toBe(800);
      expect(await isWide()).toBe(false);
      expect(await findings(page)).toEqual([]);
      await stage.picture(`profile-${name}`, page);
    });
  });
