import { Actor } from '@parley/testing';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-625: every edited message says so, also within a run of one sender', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    await bob.api.sendMessage({ chat_id, text: 'one' });
    const second = await bob.api.sendMessage({ chat_id, text: 'twoo' });
    await ann.open(chat_id);
    await ann.message('twoo').waitFor();
    expect(await ann.message('twoo').getByText('edited').count()).toBe(0);
    await bob.api.editMessage({ message_id: second.id, text: 'two' });
    await ann.message('two').getByText('edited', { exact: true }).waitFor();
    expect(await ann.message('one').getByText('edited').count()).toBe(0);
    expect(await ann.message('two').getByText('bob').count()).toBe(0);
  });
});

inChromium('WEB-626: messages are forwarded to people with whom there is no chat yet', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const carol = await stage.world.member('carol');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: [], title: 'Plans' });
    await api.sendMessage({ chat_id, text: 'the plan' });
    await ann.open(chat_id);
    await ann.choose(ann.message('the plan'), 'Forward');
    await ann.page.getByRole('searchbox', { name: 'Search conversations' }).fill('carol');
    await ann.page.getByRole('checkbox', { name: /carol/i }).click();
    await ann.page.getByRole('dialog').getByRole('button', { name: 'Forward', exact: true }).click();
    await ann.message('the plan').waitFor();
    const { items } = await carol.api.getChats({});
    expect(items.filter(({ kind, title }) => kind === 'direct' || title === null)).not.toEqual([]);
    await expect.poll(() => ann.page.getByRole('heading', { level: 1 }).innerText()).toContain('carol');
  });
});

inChromium('WEB-627: a reminder shows whose message it is about, and its words', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const bob = await stage.world.member('bob');
    const { api } = await ann.actor();
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    const { id: message_id } = await bob.api.sendMessage({ chat_id, text: 'water the tomatoes' });
    await api.remindMe({ message_id, remind_at: new Date(Date.now() + 1_500).toISOString() });
    await ann.openChat('Parley guide');
    const reminder = ann.messages.filter({ has: ann.page.getByRole('button', { name: 'Show message' }) });
    await reminder.getByText('water the tomatoes').waitFor();
    await reminder.getByText('bob').first().waitFor();
    await reminder.getByRole('button', { name: 'Show message' }).click();
    await ann.message('water the tomatoes').waitFor();
  });
});

inChromium('WEB-628: headings in messages follow the title of the page without a gap', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: [], title: 'Plans' });
    await api.sendMessage({ chat_id, text: '### Greatest\n\ntext\n\n#### Smaller\n\ntext' });
    await ann.open(chat_id);
    await ann.timeline.getByRole('heading', { level: 2, name: 'Greatest' }).waitFor();
    await ann.timeline.getByRole('heading', { level: 3, name: 'Smaller' }).waitFor();
  });
});

inChromium('WEB-642: a message that a program has written says so beside its sender, its copy does not', async () => {
  await withStage(async (stage) => {
    const bob = await stage.world.member('bob');
    const ann = await stage.person('ann');
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    const { token } = await bob.api.createAccessToken({ name: 'Nightly report', scopes: ['send'] });
    await bob.api.sendMessage({ chat_id, text: 'by hand' });
    const script = new Actor(stage.world, bob.username, token);
    const { id } = await script.api.sendMessage({ chat_id, text: 'by a program' });
    const { id: other } = await bob.api.startChat({ usernames: ['ann'], title: 'Copies' });
    await bob.api.forwardMessages({ message_ids: [id], to_chat_id: other });
    await ann.open(chat_id);
    await ann.message('by a program').getByText('via Nightly report').waitFor();
    expect(await ann.message('by hand').getByText('via').count()).toBe(0);
    await stage.picture('via', ann.page);
    await ann.open(other);
    await ann.message('by a program').waitFor();
    expect(await ann.message('by a program').getByText('via').count()).toBe(0);
  });
});
