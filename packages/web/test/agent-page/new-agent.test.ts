import { REFUSED_KEY } from '@parley/testing/providers/fake-vendor.ts';
import { startModelServer } from '@parley/testing/providers/fake-model-server.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const KEY = 'key-of-ann';

/** The models that the field suggests. */
const suggested = (page: Page) =>
  page.locator('datalist option').evaluateAll((options) => options.map((option) => option.getAttribute('value')));
const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, colorScheme: 'dark' } as const;

inChromium('“New agent” opens from Settings, the palette and “New conversation”', async () => {
  await withStage(async (stage) => {
    const { page } = await stage.person('ann');
    const isOpen = async () => {
      await page.getByRole('heading', { name: 'New agent', level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/settings/agents/new');
      await page.getByRole('button', { name: 'Back to your agents' }).click();
      await page.getByRole('heading', { name: 'Your agents' }).waitFor();
    };
    await page.goto(`${stage.world.url}/settings/agents`);
    await page.getByRole('button', { name: 'New agent' }).click();
    await isOpen();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('new ag');
    await page.getByRole('option', { name: 'New agent' }).waitFor();
    await page.keyboard.press('Enter');
    await isOpen();
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByRole('button', { name: 'New agent, as you want it' }).click();
    await isOpen();
  });
});

inChromium('a ready-made agent is made in three steps and tried beside the form', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { page } = ann;
    const { api } = await ann.actor();
    stage.world.providers.script(KEY, { chunks: ['What do you know about it?'] });
    await page.goto(`${stage.world.url}/settings/agents/new`);
    // With the keyboard only.
    await page.getByRole('group', { name: 'Start from' }).getByRole('button', { name: 'Tutor' }).focus();
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('Name').inputValue()).toBe('Tutor');
    expect(await page.getByLabel('Handle').inputValue()).toBe('tutor');
    await stage.picture('agent-1-who', page);
    // The handle is checked while it is typed, and follows the name until then.
    await page.getByLabel('Name').fill('Math tutor');
    expect(await page.getByLabel('Handle').inputValue()).toBe('math_tutor');
    await page.getByLabel('Handle').fill('provider_a');
    await page.getByRole('alert').getByText('You have an agent with this handle.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Who it is' }).waitFor();
    await page.getByLabel('Handle').fill('maths');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'How it answers' }).waitFor();
    expect(await page.getByLabel('Instructions').inputValue()).toContain('You are a patient tutor.');
    await page.getByLabel('Anthropic API key').fill(KEY);
    await stage.picture('agent-2-answers', page);
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel('Temperature').fill('3');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Enter a number from 0 to 2.').waitFor();
    await page.getByLabel('Temperature').fill('0.5');
    await page.keyboard.press('Enter');

    await page.getByText('Math tutor is ready, and only you can use it so far.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/settings/agents/ann%3Amaths');
    expect(await api.getAgent({ username: 'ann:maths' })).toMatchObject({
      display_name: 'Math tutor',
      visibility: 'private',
      temperature: 0.5,
      key_configured: true,
    });
    await ann.say('Explain fractions');
    await ann.message('What do you know about it?').waitFor();
    const [request] = stage.world.providers.requestsOf(KEY);
    expect(JSON.stringify(request?.body)).toContain('You are a patient tutor.');
    // It is on the screen: no notice.
    expect(await page.getByRole('region', { name: 'Alerts' }).innerText()).toBe('');
    await stage.picture('agent-3-audience', page);

    // What is saved counts from the next message.
    await page.getByRole('radio', { name: 'Everyone' }).first().check();
    await page.getByRole('button', { name: 'How it answers' }).click();
    await page.getByLabel('Instructions').fill('Answer in rhymes.');
    await page.getByText('It answers with your Anthropic key.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    expect(await api.getAgent({ username: 'ann:maths' })).toMatchObject({ visibility: 'public' });
    await ann.say('And now?');
    await expect.poll(() => stage.world.providers.requestsOf(KEY).length).toBe(2);
    expect(JSON.stringify(stage.world.providers.requestsOf(KEY).at(-1)?.body)).toContain('Answer in rhymes.');
    expect(await page.content()).not.toContain(KEY);
    await page.reload();
    await page.getByLabel('Name').waitFor();
    expect(await page.content()).not.toContain(KEY);
  });
});

inChromium(
  'WEB-629, WEB-630: a key that the provider refuses makes no agent, and a new one pays for nobody',
  async () => {
    await withStage(async (stage) => {
      stage.watch.expect(/status of 403/);
      const ann = await stage.person('ann');
      const { page } = ann;
      const { api } = await ann.actor();
      await page.goto(`${stage.world.url}/settings/agents/new`);
      await page.getByLabel('Name').fill('Helper');
      await page.keyboard.press('Enter');
      await page.getByLabel('Anthropic API key').fill(REFUSED_KEY);
      await page.getByRole('button', { name: 'Create and try it' }).click();
      await page.getByRole('alert').getByText('Anthropic doesn’t accept this key.').waitFor();
      await stage.picture('agent-key-refused', page);
      const { items } = await api.getMyAgents();
      expect(items.filter(({ is_default }) => !is_default)).toEqual([]);
      expect(items.some(({ key_configured }) => key_configured)).toBe(false);
      await page.getByLabel('Anthropic API key').fill(KEY);
      await page.getByRole('button', { name: 'Create and try it' }).click();
      await page.getByText('Helper is ready, and only you can use it so far.').waitFor();
      expect(await api.getAgent({ username: 'ann:helper' })).toMatchObject({
        visibility: 'private',
        pays_for: 'nobody',
      });
      await page
        .getByRole('group', { name: 'Who else may use your key' })
        .getByRole('radio', { name: 'Nobody' })
        .waitFor();
      expect(await page.getByLabel(/tokens a day/i).count()).toBe(0);
    });
  },
);

inChromium('WEB-123, WEB-124: an agent on a server of its own, on a phone in the dark theme', async () => {
  await using server = await startModelServer('from my own server');
  await withStage(
    async (stage) => {
      const ann = await stage.person('ann', phone);
      const { page } = ann;
      const { api } = await ann.actor();
      const isFitting = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
      await page.goto(`${stage.world.url}/settings/agents/new`);
      await page.getByLabel('Name').fill('Local');
      expect(await isFitting()).toBe(true);
      await stage.picture('agent-1-who-phone', page);
      await page.getByRole('button', { name: 'Next' }).tap();
      await page.getByRole('radio', { name: 'Own server' }).check();
      await page.getByLabel('Address of the server').fill('https://192.168.0.7/v1');
      await page.getByLabel('Model').fill('llama3.2');
      await page.getByLabel('API key for this server').fill('key-of-server');
      await page.getByRole('button', { name: 'Create and try it' }).tap();
      // The refusal of the service stands beside the field.
      await page.getByRole('alert').getByText('This service may not connect to this address.').waitFor();
      expect(await page.getByLabel('Address of the server').getAttribute('aria-invalid')).toBe('true');
      await stage.picture('agent-2-answers-phone', page);
      await page.getByLabel('Address of the server').fill(server.baseUrl);
      await page.getByRole('button', { name: 'Create and try it' }).tap();
      await page.getByText('Local is ready').waitFor();
      expect(await isFitting()).toBe(true);
      // The empty chat beside the form has such a button too, once it is loaded.
      await page.getByRole('button', { name: 'Say hello' }).first().tap();
      expect(await ann.composer.evaluate((field) => field === document.activeElement)).toBe(true);
      await ann.composer.fill('hello');
      await page.getByRole('button', { name: 'Send', exact: true }).tap();
      await ann.message('from my own server').waitFor();
      await stage.picture('agent-3-trial-phone', page);
      expect(new Set(server.requests.map(({ key }) => key))).toEqual(new Set(['key-of-server']));
      // No other agent has got the key.
      const { items } = await api.getMyAgents();
      expect(items.filter(({ key_configured }) => key_configured).map(({ username }) => username)).toEqual([
        'ann:local',
      ]);
      await page.getByRole('button', { name: 'How it answers' }).tap();
      await page.getByText('2 models are suggested as you type.').waitFor();
      expect(await suggested(page)).toEqual(['llama3.2:latest', 'qwen3:8b']);
      expect(await page.getByLabel('API key for this server').inputValue()).toBe('');
      expect(await page.getByLabel('API key for this server').getAttribute('placeholder')).toContain('A key is set.');
    },
    { env: { AGENT_ENDPOINTS: `public,${server.origin}` } },
  );
});

inChromium('the owner edits, duplicates and deletes an agent, and adds it to a group', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { page } = ann;
    const { api } = await ann.actor();
    await api.setAgentKey({ provider: 'provider_a', api_key: KEY });
    stage.world.providers.script(KEY, { chunks: ['ok'], usage: { input: 100, output: 20 } });
    const made = { slug: 'tutor', display_name: 'Tutor', provider: 'provider_a', system_prompt: 'Teach.' } as const;
    await api.createAgent({ ...made, visibility: 'groups' });
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await api.startChat({ usernames: ['bob'], title: 'Class' });
    await page.goto(`${stage.world.url}/settings/agents`);
    const card = page.getByRole('listitem').filter({ hasText: '@ann:tutor' });
    const choose = async (item: string) => {
      await card.getByRole('button', { name: 'More about Tutor' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await choose('Add to a group');
    await page.getByRole('button', { name: 'Add to Class' }).click();
    await page.getByRole('dialog').getByText('Added').waitFor();
    await stage.picture('agent-share', page);
    await page.getByRole('button', { name: 'Done' }).click();
    await bob.api.sendMessage({ chat_id, text: '@ann:tutor hello' });
    await stage.world.turnsEnded();
    await page.reload();
    await card.getByText('Others used 120 on your key.').waitFor();
    await card.getByText('Who used it').click();
    await card.getByRole('cell', { name: '@bob · Class' }).waitFor();
    await card.getByText('Monthly limit, and what others see').click();
    await card.getByLabel('Monthly token limit').waitFor();
    await stage.picture('agent-cards', page);

    await card.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('heading', { name: 'Edit agent' }).waitFor();
    expect(await page.getByLabel('Handle').getAttribute('readonly')).not.toBeNull();
    await page.getByLabel('Name').fill('');
    await page.getByRole('button', { name: 'Who may use it' }).click();
    // The error opens the step that holds its field.
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('Enter a name.').waitFor();
    await page.getByLabel('Name').fill('Teacher');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    expect(await api.getAgent({ username: 'ann:tutor' })).toMatchObject({
      display_name: 'Teacher',
      system_prompt: 'Teach.',
      visibility: 'groups',
    });
    // Looking at an agent starts no chat with it.
    const isTried = async () =>
      (await api.getChats({})).items.some(
        ({ kind, participants }) => kind === 'direct' && participants.some(({ username }) => username === 'ann:tutor'),
      );
    expect(await isTried()).toBe(false);
    await page.getByRole('button', { name: 'Try it' }).click();
    await ann.composer.waitFor();
    expect(await isTried()).toBe(true);
    await stage.picture('agent-edit', page);

    await page.getByRole('button', { name: 'Back to your agents' }).click();
    await card.getByRole('button', { name: 'More about Teacher' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Copy of Teacher');
    expect(await page.getByLabel('Handle').inputValue()).toBe('copy_of_teacher');
    await page.getByRole('button', { name: 'Next' }).click();
    expect(await page.getByLabel('Instructions').inputValue()).toBe('Teach.');
    await expect.poll(() => suggested(page)).toEqual(['claude-sonnet-4-5']);
    await stage.picture('agent-models', page);
    await page.getByRole('button', { name: 'Create and try it' }).click();
    await page.getByText('Copy of Teacher is ready').waitFor();
    expect(await api.getAgent({ username: 'ann:copy_of_teacher' })).toMatchObject({ visibility: 'private' });

    await page.getByRole('button', { name: 'Back to your agents' }).click();
    await card.getByRole('button', { name: 'More about Teacher' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Its instructions, settings and keys are lost; its messages stay.').waitFor();
    await dialog.getByRole('button', { name: 'Delete agent' }).click();
    // Behind the dialog nothing has a role: the card is gone only if it is still gone without the dialog.
    await dialog.waitFor({ state: 'detached' });
    await card.waitFor({ state: 'detached' });
    const left = (await api.getMyAgents()).items.map(({ username }) => username);
    expect(left).toEqual(['ann:provider_a', 'ann:provider_b', 'ann:copy_of_teacher']);
  });
});

inChromium('a group’s details say whose agent it is and who pays for the reader', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { api } = await ann.actor();
    await api.setAgentKey({ provider: 'provider_a', api_key: KEY });
    await api.createAgent({ slug: 'tutor', display_name: 'Tutor', provider: 'provider_a' });
    const bob = await stage.person('bob');
    const { id: chat_id } = await api.startChat({ usernames: ['bob'], title: 'Class' });
    await api.addGroupAgent({ chat_id, agent_username: 'ann:tutor' });
    for (const [who, text] of [
      [bob, 'This is Ann’s agent. Ann pays for its replies to you.'],
      [ann, 'This agent is yours. Your key pays for people in its groups.'],
    ] as const) {
      await who.open(chat_id);
      await who.page.getByRole('button', { name: 'Details' }).click();
      await who.page.getByRole('complementary', { name: 'Details' }).getByText(text).waitFor();
    }
    await stage.picture('agent-terms', bob.page);
    const { id: direct } = await api.startChat({ username: 'ann:tutor' });
    await ann.open(direct);
    await ann.page.getByRole('button', { name: 'Details' }).click();
    await ann.page.getByRole('complementary', { name: 'Details' }).getByText('This agent is yours.').waitFor();
    await stage.picture('agent-partner', ann.page);
    await ann.page.getByRole('complementary', { name: 'Details' }).getByRole('button', { name: 'Edit' }).click();
    await ann.page.getByRole('heading', { name: 'Edit agent' }).waitFor();
  });
});
