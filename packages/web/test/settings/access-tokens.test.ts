import { createApi } from '@parley/client';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-640, WEB-641: an access token is made read-only, shown once, used and revoked', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { page } = ann;
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: [], title: 'Plans' });
    await page.goto(new URL('/settings/bots', page.url()).href);
    const section = page.getByRole('region', { name: 'Access tokens' });
    await section.getByText('No access tokens yet.').waitFor();
    await section.getByRole('button', { name: 'New token' }).click();
    const form = page.getByRole('dialog', { name: 'New access token' });
    await form.getByLabel('What is it for?').fill('Claude');
    expect(await form.getByRole('switch', { name: 'Read' }).getAttribute('aria-checked')).toBe('true');
    await form.getByRole('switch', { name: 'Write' }).click();
    await form.getByLabel('Conversation', { exact: true }).selectOption({ label: 'Plans' });
    await stage.picture('access-token-form', page);
    expect(await findings(page)).toEqual([]);
    await form.getByRole('button', { name: 'Add' }).click();
    const token = await page.getByLabel('Access token', { exact: true }).inputValue();
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    const row = section.getByRole('listitem');
    await row.getByText('Read conversations, Write · Never used').waitFor();
    expect((await api.getAccessTokens()).items).toMatchObject([{ scopes: ['read', 'send'], chat_ids: [chat_id] }]);
    const script = createApi({ url: new URL('/', page.url()).origin, token });
    await script.sendMessage({ chat_id, text: 'written by a program' });
    await row.getByRole('button', { name: 'Revoke Claude' }).click();
    await section.getByText('No access tokens yet.').waitFor();
    await expect(script.getMe()).rejects.toMatchObject({ status: 401 });
  });
});
