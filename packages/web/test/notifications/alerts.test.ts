import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-60, WEB-61: a refused stop shows an alert, and Stop can be pressed again', async () => {
  await withStage(async (stage) => {
    const [ann, bob] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const agent = await ann.agent('key');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: ['bob'], title: 'Plans' });
    await api.addGroupAgent({ chat_id, agent_username: agent });
    const reply = stage.world.providers.steer('key');
    await Promise.all([ann.open(chat_id), bob.open(chat_id)]);
    await ann.say(`@${agent} tell me`);
    await reply.started;
    reply.text('Half a reply');
    const stop = bob.message('Half a reply').getByRole('button', { name: 'Stop', exact: true });
    for (let presses = 1; presses <= 2; presses += 1) {
      await stop.click();
      const refusals = bob.page.getByRole('region', { name: 'Alerts' }).getByText('You may not stop');
      await expect.poll(async () => refusals.count()).toBe(presses);
      await stop.and(bob.page.locator(':enabled')).waitFor();
    }
    await stage.picture('refused-stop', bob.page);
    reply.end();
    await bob.message('Half a reply').and(bob.page.locator('[data-status=complete]')).waitFor();
  });
});

inChromium('WEB-61: an alert of any level from the agent enables Stop again', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { api } = await ann.actor();
    const bot = await stage.world.bot(await ann.actor(), 'helper');
    const { id: chat_id } = await api.startChat({ username: bot.username });
    await ann.open(chat_id);
    const { id } = await bot.api.startMessageStream({ chat_id });
    await bot.api.appendMessageStream({ message_id: id, text: 'Half a reply' });
    const stop = ann.message('Half a reply').getByRole('button', { name: /^Stop/ });
    await stop.click();
    await stop.and(ann.page.locator(':disabled')).waitFor();
    await bot.api.pushAlert({ to_username: 'ann', text: 'Not now' });
    await stop.and(ann.page.locator(':enabled')).waitFor();
    await bot.api.finishMessageStream({ message_id: id });
  });
});

inChromium('WEB-60: an agent’s error alert is shown in its own chat, the alert of a failed reply is not', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { api } = await ann.actor();
    const bot = await stage.world.bot(await ann.actor(), 'helper');
    const { id: chat_id } = await api.startChat({ username: bot.username });
    await ann.open(chat_id);
    await bot.api.pushAlert({ to_username: 'ann', text: 'the build is red', level: 'error' });
    const alerts = ann.page.getByRole('region', { name: 'Alerts' });
    await alerts.getByText('the build is red').waitFor();

    // Without a key the reply fails and shows the reason itself.
    const { id } = await api.startChat({ username: 'ann:provider_a' });
    await ann.open(id);
    await ann.composer.fill('Hello');
    await ann.composer.press('Enter');
    await ann.page.locator('[data-status=failed]').waitFor();
    await bot.api.pushAlert({ to_username: 'ann', text: 'the build is green', level: 'error' });
    await alerts.getByText('the build is green').waitFor();
    expect(await alerts.getByText('key').count()).toBe(0);

    // Elsewhere the message is not visible: its alert appears, but not that of the message seen before.
    await ann.page.getByRole('link', { name: 'helper' }).first().click();
    await ann.page.waitForURL(`**/${chat_id}`);
    await bot.api.pushAlert({ to_username: 'ann', text: 'the build is blue', level: 'error' });
    await alerts.getByText('the build is blue').waitFor();
    expect(await alerts.getByText('key').count()).toBe(0);
    await api.sendMessage({ chat_id: id, text: 'Again' });
    await alerts.getByText('key').waitFor();
  });
});

inChromium('a failed reply says what happened, and shows what the provider said to the key’s owner', async () => {
  await withStage(async (stage) => {
    const [ann, bob] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const agent = await ann.agent('key');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: ['bob'], title: 'Plans' });
    await api.addGroupAgent({ chat_id, agent_username: agent });
    const said = 'prompt is too long: org 12';
    stage.world.providers.script('key', { status: 400, message: said });
    const alertsOf = (person: typeof ann) => person.page.getByRole('region', { name: 'Alerts' });

    // Away from the chat: the alert says it.
    await api.sendMessage({ chat_id, text: `@${agent} hello` });
    const toast = alertsOf(ann).getByText('too long for the agent’s model');
    await toast.waitFor();
    await alertsOf(ann).getByText('couldn’t answer').waitFor();
    expect(await alertsOf(ann).getByText(said).isVisible()).toBe(false);
    await alertsOf(ann).getByText('Details', { exact: true }).click();
    await alertsOf(ann).getByText(said).waitFor();
    expect(await findings(ann.page)).toEqual([]);
    await stage.picture('failed-reply-alert', ann.page);

    // In the chat the note below the reply does.
    await ann.page.getByRole('link', { name: 'Plans' }).first().click();
    await bob.open(chat_id);
    const note = (person: typeof ann) => person.page.locator('[data-status=failed]').last();
    await note(ann).getByText('Details', { exact: true }).click();
    await note(ann).getByText(said).waitFor();
    await stage.picture('failed-reply-note', ann.page);
    await bob.say(`@${agent} and me?`);
    await expect.poll(async () => bob.page.locator('[data-status=failed]').count()).toBe(2);
    await note(bob).getByText('too long for the agent’s model').waitFor();
    expect(await bob.page.getByText('Details', { exact: true }).count()).toBe(0);
    expect(await bob.page.getByText('org 12').count()).toBe(0);
  });
});

inChromium('WEB-66: toasts do not cover the buttons that save a form and send a message', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', { viewport: { width: 700, height: 620 } });
    const { api } = await ann.actor();
    const bot = await stage.world.bot(await ann.actor(), 'helper');
    const { id: chat_id } = await api.startChat({ username: bot.username });
    await ann.page.goto(`${stage.world.url}/settings/profile`);
    const save = ann.page.getByRole('button', { name: 'Save', exact: true });
    await save.waitFor();
    const alerts = ann.page.getByRole('region', { name: 'Alerts' });
    for (const text of ['one', 'two', 'three']) await bot.api.pushAlert({ to_username: 'ann', text, level: 'error' });
    await alerts.getByText('three').waitFor();
    await stage.picture('toasts-in-settings', ann.page);
    await ann.page.getByLabel('Name', { exact: true }).fill('Ann of the hill');
    await save.click();
    await expect.poll(async () => (await api.getMe()).display_name).toBe('Ann of the hill');
    await ann.open(chat_id);
    for (const text of ['four', 'five', 'six']) await bot.api.pushAlert({ to_username: 'ann', text, level: 'error' });
    await alerts.getByText('six').waitFor();
    await ann.composer.fill('hello');
    await ann.page.getByRole('button', { name: 'Send', exact: true }).click();
    await ann.message('hello').waitFor();
  });
});
