import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('a message is sent later; the details of the conversation list what is scheduled', async () => {
  await withStage(async (stage) => {
    const [ann] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: 'bob' });
    await ann.open(chat_id);
    const { page } = ann;
    await ann.composer.fill('good morning');
    await page.getByRole('button', { name: 'Send later' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send later' });
    await dialog.locator('button:focus', { hasText: 'In 1 hour' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await stage.picture('send-later', page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await stage.picture('send-later-dark', page);
    await page.setViewportSize({ width: 390, height: 780 });
    await stage.picture('send-later-phone-dark', page);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1_200, height: 800 });
    await page.keyboard.press('Enter');
    await page.getByText('You find it in the details of this conversation.').waitFor();
    expect(await ann.composer.inputValue()).toBe('');
    await ann.composer.fill('another text');
    await page.getByRole('button', { name: 'Send later' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await ann.composer.fill('');
    expect((await api.getScheduledMessages({})).items).toMatchObject([{ chat_id, text: 'good morning' }]);
    await expect.poll(async () => (await api.getDrafts({})).items).toEqual([]);
    await page.getByRole('button', { name: 'Details', exact: true }).click();
    const list = page.getByRole('region', { name: 'Scheduled' });
    await list.getByText('good morning').waitFor();
    expect(await findings(page)).toEqual([]);
    await stage.picture('scheduled', page);
    await page.setViewportSize({ width: 390, height: 780 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await list.getByText('good morning').waitFor();
    await stage.picture('scheduled-phone-dark', page);
    await list.getByRole('button', { name: 'Send now' }).click();
    await list.waitFor({ state: 'detached' });
    await expect.poll(async () => (await api.getChatHistory({ chat_id })).items.at(-1)?.content).toBe('good morning');
  });
});

inChromium('Scheduled lists all conversations, and a message of a group that one has left', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { api } = await ann.actor();
    const bob = await stage.world.member('bob');
    const { page } = ann;
    const openList = async () => {
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('menuitem', { name: 'Scheduled' }).click();
    };
    const dialog = page.getByRole('dialog', { name: 'Scheduled' });
    await openList();
    await dialog.getByText('Nothing scheduled.').waitFor();
    await page.keyboard.press('Escape');
    const { id: direct } = await api.startChat({ username: 'bob' });
    const { id: group } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    const send_at = new Date(Date.now() + 3_600_000).toISOString();
    for (const [chat_id, text] of [
      [direct, 'to bob'],
      [group, 'to all'],
    ] as const)
      await api.scheduleMessage({ chat_id, text, send_at, client_msg_id: text });
    await bob.api.removeMember({ chat_id: group, username: 'ann' });
    await openList();
    const item = (text: string) => dialog.getByRole('listitem').filter({ hasText: text });
    await item('to bob').getByText('bob', { exact: true }).waitFor();
    await item('to all').getByText('A conversation you’re no longer in').waitFor();
    expect(await findings(page)).toEqual([]);
    await stage.picture('scheduled-all', page);
    await item('to all').getByRole('button', { name: 'Send now' }).click();
    await item('to all').getByRole('alert').waitFor();
    await page.setViewportSize({ width: 390, height: 780 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await stage.picture('scheduled-all-phone-dark', page);
    await item('to all').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete this' }).getByRole('button', { name: 'Delete' }).click();
    await item('to all').waitFor({ state: 'detached' });
    expect((await api.getScheduledMessages({})).items).toMatchObject([{ text: 'to bob' }]);
  });
});

inChromium('the dialog stays open while it schedules, and closes for good if its message disappears', async () => {
  await withStage(async (stage) => {
    const [ann] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: 'bob' });
    const { page } = ann;
    const held: (() => void)[] = [];
    await page.routeWebSocket(/\/api\/ws/u, (socket) => {
      const service = socket.connectToServer();
      socket.onMessage((text) => {
        if (text.includes('"scheduleMessage"')) held.push(() => service.send(text));
        else service.send(text);
      });
    });
    await ann.open(chat_id);
    await page.reload();
    const dialog = page.getByRole('dialog', { name: 'Send later' });
    const openDialog = () => page.getByRole('button', { name: 'Send later' }).click();
    await ann.composer.fill('good morning');
    await openDialog();
    await dialog.getByRole('button', { name: 'In 1 hour' }).click();
    await expect.poll(() => held.length).toBe(1);
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await dialog.isVisible()).toBe(true);
    held[0]?.();
    await dialog.waitFor({ state: 'detached' });
    expect(await ann.composer.inputValue()).toBe('');

    await ann.composer.fill('good evening');
    await expect.poll(async () => (await api.getDrafts({})).items).toMatchObject([{ text: 'good evening' }]);
    await openDialog();
    await dialog.waitFor();
    await api.sendMessage({ chat_id, text: 'good evening', clear_draft: 'timeline' });
    await dialog.waitFor({ state: 'detached' });
    await ann.composer.fill('good night');
    await page.getByRole('button', { name: 'Send later' }).waitFor();
    expect(await dialog.count()).toBe(0);
  });
});

inChromium('the details say why a message was not sent; the user moves it or deletes it', async () => {
  await withStage(async (stage) => {
    const [ann] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: 'bob' });
    const { id: thread_root_id } = await api.sendMessage({ chat_id, text: 'a root' });
    const send_at = new Date(Date.now() + 1_500).toISOString();
    await api.scheduleMessage({ chat_id, thread_root_id, text: 'into the thread', send_at });
    await api.deleteMessages({ message_ids: [thread_root_id] });
    await ann.open(chat_id);
    const { page } = ann;
    await page.getByRole('button', { name: 'Details', exact: true }).click();
    const list = page.getByRole('region', { name: 'Scheduled' });
    await list.getByText('This wasn’t sent. Not found: thread root. Change its time to try again.').waitFor();
    await stage.picture('not-sent', page);
    await list.getByRole('button', { name: 'Change time' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change time' });
    await dialog
      .getByLabel('Another time')
      .fill(`${new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 10)}T18:00`);
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await list.getByText('To be sent:').waitFor();
    expect(await list.getByText('This wasn’t sent.').count()).toBe(0);
    await list.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: 'Delete this scheduled message?' });
    await question.getByRole('button', { name: 'Delete' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await question.getByRole('button', { name: 'Delete' }).click();
    await list.waitFor({ state: 'detached' });
    expect((await api.getScheduledMessages({})).items).toEqual([]);
  });
});

inChromium('"Remind me" schedules a reminder, and the guide’s reminder leads to the message', async () => {
  await withStage(async (stage) => {
    const [ann, bob] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: 'bob' });
    const ofBob = await bob.actor();
    const { id: message_id } = await ofBob.api.sendMessage({ chat_id, text: 'remember the milk' });
    await ann.open(chat_id);
    const { page } = ann;
    await page.getByRole('button', { name: 'Details', exact: true }).click();
    await ann.choose(ann.message('remember the milk'), 'Remind me');
    await page.getByRole('dialog', { name: 'Remind me' }).getByRole('button', { name: 'In 1 hour' }).click();
    const list = page.getByRole('region', { name: 'Scheduled' });
    await list.getByText('remember the milk').waitFor();
    expect((await api.getReminders({})).items).toMatchObject([{ message_id }]);
    await api.remindMe({ message_id, remind_at: new Date(Date.now() + 1_500).toISOString() });
    await list.waitFor({ state: 'detached' });
    await ann.openChat('Parley guide');
    await stage.picture('reminder', page);
    await page.getByRole('button', { name: 'Show message' }).click();
    await ann.message('remember the milk').waitFor();
  });
});
