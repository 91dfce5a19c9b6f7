import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';
import { openAdmin, personWith } from './setup.ts';

inChromium('WEB-725: a moderator sees a reported message and its neighbors, and deletes it for everyone', async () => {
  await withStage(async (stage) => {
    await stage.world.member('olga');
    const mo = await personWith(stage, 'moderator', 'mo');
    const [ann, ben] = [await stage.person('ann'), await stage.world.member('ben')];
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: 'ben' });
    const sent = [];
    for (const text of ['far away', 'one', 'two', '**ugly** word', 'three']) {
      sent.push(await ben.api.sendMessage({ chat_id, text }));
    }
    await api.reportMessage({ message_id: sent[3]?.id ?? '', reason: 'It is ugly' });
    await ann.open(chat_id);
    await ann.message('ugly word').waitFor();

    const page = await openAdmin(mo, 'reports');
    await page.getByRole('list', { name: 'Reports' }).getByRole('button', { name: '@ben' }).click();
    const dialog = page.getByRole('dialog');
    const shown = await dialog.getByRole('list').getByRole('listitem').allInnerTexts();
    expect(shown.map((text) => text.split('\n').at(-1))).toEqual(['one', 'two', '**ugly** word', 'three']);
    await dialog.getByText('It is ugly').waitFor();
    await dialog.getByRole('radio', { name: 'Delete the message for everyone' }).waitFor();
    expect(await dialog.getByRole('radio').count()).toBe(2);
    await dialog.getByText('Delete the message for everyone').click();
    await dialog.getByLabel('Note for the other moderators').fill('An insult');
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('There are no open reports.').waitFor();
    await ann.message('ugly word').waitFor({ state: 'detached' });

    await page.getByLabel('Show').selectOption('resolved');
    await page.getByRole('list', { name: 'Reports' }).getByRole('button', { name: 'The message was deleted' }).click();
    await dialog.getByText('An insult').waitFor();
    await dialog.getByText('@mo').waitFor();
  });
});
