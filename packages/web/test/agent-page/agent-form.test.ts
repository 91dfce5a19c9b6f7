import { startModelServer } from '@parley/testing/providers/fake-model-server.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { smallPhoto } from '../setup/small-photo.ts';
import { withStage } from '../setup/stage.ts';

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, colorScheme: 'dark' } as const;
const picture = (page: Page) => page.locator('main form img');
const question = (page: Page) => page.getByRole('dialog', { name: 'Discard your changes?' });
const address = (page: Page) => new URL(page.url()).pathname;

inChromium('an agent gets a picture in its form, which everyone sees, and loses it there', async () => {
  await withStage(async (stage) => {
    const [ann, bob] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const { page } = ann;
    const { api } = await ann.actor();
    await api.setAgentKey({ provider: 'provider_a', api_key: 'key' });
    stage.world.providers.script('key', { chunks: ['I am a tutor.'] });
    await page.goto(`${stage.world.url}/settings/agents/new`);
    await page.getByLabel('Name').fill('Tutor');
    await page.getByLabel('Picture').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
    await page.getByText('This file isn’t a picture we can show.').waitFor();
    await page.getByLabel('Picture').setInputFiles(smallPhoto('face.png'));
    await picture(page).waitFor();
    await stage.picture('agent-form-picture', page);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Create and try it' }).click();
    await page.getByText('Tutor is ready').waitFor();
    const { avatar_url = '' } = await api.getAgent({ username: 'ann:tutor' });
    expect(avatar_url).toMatch(/^\/avatars\//);
    // In the trial chat, in the list of Settings, and for others.
    await ann.say('Who are you?');
    const inReply = ann.message('I am a tutor.').locator(`img[src="${avatar_url}"]`);
    await inReply.waitFor();
    const { id: chat_id } = await api.startChat({ usernames: ['bob', 'ann:tutor'], title: 'Class' });
    await bob.open(chat_id);
    await api.sendMessage({ chat_id, text: '@ann:tutor and you?' });
    await bob.message('I am a tutor.').locator(`img[src="${avatar_url}"]`).waitFor();
    await page.getByRole('button', { name: 'Back to your agents' }).click();
    const card = page.getByRole('listitem').filter({ hasText: '@ann:tutor' });
    await card.locator(`img[src="${avatar_url}"]`).waitFor();
    await stage.picture('agent-list-picture', page);

    await card.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Change picture' }).waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await picture(page).waitFor({ state: 'detached' });
    // It is saved with the other fields.
    expect(await api.getAgent({ username: 'ann:tutor' })).toMatchObject({ avatar_url });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await api.getAgent({ username: 'ann:tutor' })).not.toHaveProperty('avatar_url');
    await bob.message('I am a tutor.').locator('img').waitFor({ state: 'detached' });
  });
});

inChromium('“What it reads” bounds what the model is sent, also on a phone in the dark theme', async () => {
  await using server = await startModelServer('from my server');
  await withStage(
    async (stage) => {
      const ann = await stage.person('ann', phone);
      const { page } = ann;
      const { api } = await ann.actor();
      await api.createAgent({
        slug: 'local',
        display_name: 'Local',
        provider: 'provider_b',
        base_url: server.baseUrl,
        model: 'llama',
        context: { characters: 900 },
      });
      const username = 'ann:local';
      const { id } = await api.startChat({ username });
      await api.sendMessage({ chat_id: id, text: 'first' });
      await stage.world.turnsEnded();
      await page.goto(`${stage.world.url}/settings/agents/${encodeURIComponent(username)}`);
      await page.getByRole('button', { name: 'How it answers' }).tap();
      await page.getByText('What it reads').tap();
      expect(await page.getByLabel('Characters, at most').inputValue()).toBe('900');
      await page.getByLabel('Characters, at most').fill('');
      await page.getByLabel('Messages, at most').fill('41');
      await page.getByRole('switch', { name: 'Photos and files too' }).tap();
      await stage.picture('agent-reads-phone', page);
      expect(await findings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save' }).tap();
      await page.getByRole('alert').getByText('Enter a whole number from 1 to 40, or leave it empty.').waitFor();
      await page.getByLabel('Messages, at most').fill('1');
      await page.getByRole('button', { name: 'Save' }).tap();
      await page.getByText('Saved', { exact: true }).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      const context = { messages: 1, characters: 32_000, files: false };
      expect((await api.getAgent({ username })).context).toEqual(context);
      await api.sendMessage({ chat_id: id, text: 'second' });
      await stage.world.turnsEnded();
      expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain('first');
    },
    { env: { AGENT_ENDPOINTS: server.origin } },
  );
});

inChromium('“Built-in tools” lets an agent use the service’s own tools, none of which a new one has', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', phone);
    const { page } = ann;
    const { api } = await ann.actor();
    const username = 'ann:helper';
    await api.createAgent({ slug: 'helper', display_name: 'Helper', provider: 'provider_a' });
    await page.goto(`${stage.world.url}/settings/agents/${encodeURIComponent(username)}`);
    await page.getByRole('button', { name: 'How it answers' }).tap();
    await page.getByText('Built-in tools').tap();
    const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
    expect(await page.getByRole('checkbox').count()).toBe(11);
    for (const one of await page.getByRole('checkbox').all()) expect(await one.isChecked()).toBe(false);
    await box('Set reminders').tap();
    await page.getByText('Search the conversation').tap();
    await box('Ask questions').tap();
    await box('Ask questions').tap();
    await stage.picture('agent-tools-phone', page);
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await page.getByRole('button', { name: 'Save' }).tap();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await api.getAgent({ username })).toMatchObject({ built_in_tools: ['search_messages', 'remind'] });
    await page.reload();
    await page.getByRole('button', { name: 'How it answers' }).tap();
    await page.getByText('Built-in tools').tap();
    expect(await box('Set reminders').isChecked()).toBe(true);
    await box('Set reminders').tap();
    await box('Search the conversation').tap();
    await page.getByRole('button', { name: 'Save' }).tap();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await api.getAgent({ username })).not.toHaveProperty('built_in_tools');
  });
});

inChromium('WEB-160: changes that are not saved are discarded only if the user agrees', async () => {
  await withStage(async (stage) => {
    stage.watch.expect(/opened a dialog/);
    const ann = await stage.person('ann');
    const { page } = ann;
    const { api } = await ann.actor();
    await api.createAgent({ slug: 'tutor', display_name: 'Tutor', provider: 'provider_a' });
    const saved = await api.startChat({ username: 'ann' });
    await page.goto(`${stage.world.url}/settings/agents`);
    const card = page.getByRole('listitem').filter({ hasText: '@ann:tutor' });
    await card.getByRole('button', { name: 'Edit' }).click();
    const name = page.getByLabel('Name');
    // Nothing to lose: nothing is asked.
    await page.getByRole('button', { name: 'Back to your agents' }).click();
    await card.getByRole('button', { name: 'Edit' }).click();
    await name.fill('Teacher');
    const here = address(page);

    // A button of the page, a conversation of the list, Back: each asks, and staying keeps what was typed.
    for (const go of [
      () => page.getByRole('button', { name: 'Back to your agents' }).click(),
      () => ann.chats.getByRole('link').first().click(),
      () => page.goBack(),
      () => page.goBack(),
    ]) {
      await go();
      await question(page).waitFor();
      expect(address(page)).toBe(here);
      await page.keyboard.press('Escape');
      await question(page).waitFor({ state: 'detached' });
      expect(await name.inputValue()).toBe('Teacher');
    }
    await page.getByRole('button', { name: 'Back to your agents' }).click();
    await question(page).waitFor();
    await stage.picture('agent-discard', page);
    expect(await findings(page)).toEqual([]);
    await question(page).getByRole('button', { name: 'Cancel' }).click();

    // The browser asks before it closes the tab.
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    expect((await asked).type()).toBe('beforeunload');
    expect(await name.inputValue()).toBe('Teacher');

    // After Save there is nothing to lose, and Back leads to where the user came from.
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await expect.poll(() => page.evaluate(() => JSON.stringify(history.state))).toBe('null');
    await page.goBack();
    await page.getByRole('heading', { name: 'Your agents' }).waitFor();

    // Discarding opens what was asked for.
    await page.goForward();
    await name.fill('Someone else');
    await ann.chats.locator(`a[href="/chat/${saved.id}"]`).click();
    await question(page).getByRole('button', { name: 'Discard' }).click();
    await ann.composer.waitFor();
    expect(address(page)).toBe(`/chat/${saved.id}`);
    await page.goBack();
    await name.waitFor();
    expect(await name.inputValue()).toBe('Teacher');
    await name.fill('Nobody');
    await page.goBack();
    await question(page).getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('heading', { name: 'Your agents' }).waitFor();
    expect(await api.getAgent({ username: 'ann:tutor' })).toMatchObject({ display_name: 'Teacher' });
  });
});

inChromium(
  'WEB-160: a new agent is asked about too, until it is made; on a phone Back closes the question',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.person('ann', phone);
      const { page } = ann;
      await page.goto(`${stage.world.url}/settings/agents`);
      await page.getByRole('button', { name: 'New agent' }).tap();
      await page.getByRole('heading', { name: 'New agent', level: 1 }).waitFor();
      await page.getByLabel('Name').fill('Tutor');
      await page.getByRole('button', { name: 'Back to your agents' }).tap();
      await question(page).getByText('You haven’t created this agent yet.').waitFor();
      await stage.picture('agent-discard-phone', page);
      await page.goBack();
      await question(page).waitFor({ state: 'detached' });
      expect(address(page)).toBe('/settings/agents/new');
      expect(await page.getByLabel('Name').inputValue()).toBe('Tutor');
      await page.goBack();
      await question(page).waitFor();
      await question(page).getByRole('button', { name: 'Cancel' }).tap();
      await page.getByRole('button', { name: 'Next' }).tap();
      await page.getByRole('button', { name: 'Create and try it' }).tap();
      await page.getByText('Tutor is ready').waitFor();
      await page.getByRole('button', { name: 'Back to your agents' }).tap();
      await page.getByRole('heading', { name: 'Your agents' }).waitFor();
      expect(await question(page).count()).toBe(0);
    });
  },
);
