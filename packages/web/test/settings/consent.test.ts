import { hash } from 'node:crypto';
import { createApi } from '@parley/client';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const BACK = 'https://program.example/back';
const secret = 'x'.repeat(43);
const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true } as const;

/** The address of the page on which a program asks for consent. */
async function pageOf({ world }: Stage, more: Record<string, string> = {}) {
  const registered = await fetch(`${world.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Claude', redirect_uris: [BACK] }),
  });
  const { client_id } = (await registered.json()) as { client_id: string }; // of a registration
  const query = new URLSearchParams({
    client_id,
    redirect_uri: BACK,
    response_type: 'code',
    code_challenge: hash('sha256', secret, 'base64url'),
    code_challenge_method: 'S256',
    state: 'kept',
    ...more,
  });
  return { client_id, address: `${world.url}/oauth/authorize?${query.toString()}` };
}

inChromium('WEB-643, MCPS-9: a program is let in read-only, and Decline grants nothing', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { page } = ann;
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: [], title: 'Plans' });
    const { client_id, address } = await pageOf(stage);
    stage.watch.expect(/^asked https:\/\/program\.example\/back\?/);
    const came: URL[] = [];
    await page.route(`${BACK}**`, async (route) => {
      came.push(new URL(route.request().url()));
      await route.fulfill({ body: 'back' });
    });
    await page.goto(address);
    await page.getByRole('heading', { name: 'Let Claude act for you?' }).waitFor();
    await page.getByText('program.example asks').waitFor();
    for (const [name, isOn] of Object.entries({ Read: 'true', Write: 'false', Manage: 'false' }))
      expect([name, await page.getByRole('switch', { name }).getAttribute('aria-checked')]).toEqual([name, isOn]);
    expect(await findings(page)).toEqual([]);
    await stage.picture('consent', page);
    expect((await api.getAccessTokens()).items).toEqual([]);
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('back', { exact: true }).waitFor();
    expect(Object.fromEntries(came[0]?.searchParams ?? [])).toEqual({
      error: 'access_denied',
      state: 'kept',
      iss: stage.world.url,
    });
    await page.goto(address);
    await page.getByLabel('Conversation', { exact: true }).selectOption({ label: 'Plans' });
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('back', { exact: true }).waitFor();
    const code = came[1]?.searchParams.get('code') ?? '';
    const body = { grant_type: 'authorization_code', client_id, code, code_verifier: secret, redirect_uri: BACK };
    const answer = await fetch(`${stage.world.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(body) });
    const { access_token: token } = (await answer.json()) as { access_token: string }; // of an exchange
    const program = createApi({ url: stage.world.url, token });
    expect((await program.getChats()).items.map(({ id }) => id)).toEqual([chat_id]);
    await expect(program.sendMessage({ chat_id, text: 'x' })).rejects.toMatchObject({ status: 403 });
    await page.goto(`${stage.world.url}/settings/bots`);
    const row = page.getByRole('region', { name: 'Access tokens' }).getByRole('listitem');
    await row.getByText('Signed in from program.example · Read conversations').waitFor();
    await row.getByRole('button', { name: 'Revoke Claude' }).click();
    await expect(program.getMe()).rejects.toMatchObject({ status: 401 });
  });
});

inChromium(
  'WEB-643, MCPS-9: the page asks who is there first, refuses wrong requests, and stands in no frame',
  async () => {
    await withStage(async (stage) => {
      const { address } = await pageOf(stage);
      const stranger = await stage.browser({ url: stage.world.url });
      await stranger.page.goto(address);
      await stranger.page.getByLabel('Username').first().waitFor();
      const ann = await stage.person('ann');
      const { address: wrong } = await pageOf(stage, { redirect_uri: 'https://evil.example/' });
      await ann.page.goto(wrong);
      await ann.page.getByRole('heading', { name: 'This program can’t be let in' }).waitFor();
      const { headers } = await fetch(address, { headers: { accept: 'text/html' } });
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    });
  },
);

const looks = [
  { name: 'phone', options: { ...phone, colorScheme: 'dark' }, title: 'Let Claude act for you?' },
  { name: 'arabic', options: { ...phone, locale: 'ar' }, title: 'هل تسمح لـ Claude بالتصرف نيابةً عنك؟' },
] as const;
for (const { name, options, title } of looks)
  inChromium(`WEB-643: the consent page fits: ${name}`, async () => {
    await withStage(async (stage) => {
      const { page } = await stage.person('ann', options);
      await page.goto((await pageOf(stage)).address);
      await page.getByRole('heading', { name: title }).waitFor();
      expect(await findings(page)).toEqual([]);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(phone.viewport.width);
      await stage.picture(`consent-${name}`, page);
    });
  });
