import { Actor } from '@parley/testing';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withShop } from './widget-stage.ts';

inChromium(
  'WIDGET-5: the page is asked for a token before the former one expires, and the chat stays as it is',
  async () => {
    await withShop(async ({ site, backend, agent, visit }) => {
      site.token = async () => {
        const { token } = await backend.createToken('ann', { agent_username: agent.username });

        // As if it expired soon.
        return { token, expires_at: new Date(Date.now() + (site.asked === 1 ? 3_000 : 3_600_000)).toISOString() };
      };
      const ann = await visit();
      await ann.open();
      await ann.composer.fill('half a sent');
      const field = await ann.composer.elementHandle();
      await expect.poll(() => site.asked).toBe(2);
      await ann.composer.press('End');
      await ann.page.keyboard.type('ence');
      expect(await ann.composer.inputValue()).toBe('half a sentence');
      expect(await field?.evaluate((element) => element.isConnected)).toBe(true);
      await ann.composer.press('Enter');
      const sent = ann.message('half a sentence').and(ann.frame.locator('[data-status=complete]'));
      await sent.waitFor();
      const [chat] = (await agent.api.getChats()).items;
      await agent.api.sendMessage({ chat_id: chat?.id ?? '', text: 'I see' });
      await ann.message('I see').waitFor();
      expect(site.asked).toBe(2);
    });
  },
);

inChromium('WIDGET-5: a token that the service no longer accepts is replaced at once', async () => {
  await withShop(async ({ stage, site, backend, agent, visit }) => {
    let lastToken = '';
    // Without expires_at.
    site.token = async () => (lastToken = (await backend.createToken('ann', { agent_username: agent.username })).token);
    const ann = await visit();
    await ann.open();
    await ann.say('Hello');
    await ann.composer.fill('and then');
    // The socket closes with 4401.
    await new Actor(stage.world, 'ann', lastToken).api.signOut();
    await expect.poll(() => site.asked).toBe(2);
    const [chat] = (await agent.api.getChats()).items;
    await agent.api.sendMessage({ chat_id: chat?.id ?? '', text: 'Welcome back' });
    await ann.message('Welcome back').waitFor();
    expect(await ann.composer.inputValue()).toBe('and then');
  });
});

inChromium(
  'WIDGET-5: without a token the chat says so, tries again by itself, and at once when the visitor asks',
  async () => {
    await withShop(async ({ stage, site, backend, agent, visit }) => {
      stage.watch.expect(/status of 500/, /Parley: window\.parleyToken failed/, /status of 401/);
      site.token = () => Promise.reject(new Error('the backend is down'));
      const ann = await visit();
      await ann.button.click();
      const alert = ann.frame.getByRole('alert');
      await alert.getByText('The chat can’t connect right now.').waitFor();
      await stage.picture('widget-no-token', ann.page);
      await expect.poll(() => site.asked).toBeGreaterThanOrEqual(2);
      // The service refuses it: it was signed out.
      site.token = async () => {
        const { token } = await backend.createToken('ann');
        await new Actor(stage.world, 'ann', token).api.signOut();
        return token;
      };
      const { asked } = site;
      await alert.getByRole('button', { name: 'Try now' }).click();
      await expect.poll(() => site.asked).toBeGreaterThan(asked);
      await alert.waitFor();
      site.token = () => backend.createToken('ann', { agent_username: agent.username });
      await alert.getByRole('button', { name: 'Try now' }).click();
      await ann.composer.waitFor();
      await alert.waitFor({ state: 'detached' });
    });
  },
);

inChromium('WIDGET-5: a token of somebody else opens that person’s chat', async () => {
  await withShop(async ({ site, backend, agent, visit }) => {
    site.token = async () => {
      const name = site.asked === 1 ? 'ann' : 'bob';
      const { token } = await backend.createToken(name, { agent_username: agent.username });
      return { token, expires_at: new Date(Date.now() + (site.asked === 1 ? 4_000 : 3_600_000)).toISOString() };
    };
    const visitor = await visit();
    await visitor.open();
    await visitor.say('I am Ann');
    await visitor.message('I am Ann').waitFor({ state: 'detached' });
    await visitor.say('I am Bob');
    expect((await agent.api.getChats()).items).toHaveLength(2);
  });
});

inChromium(
  'WIDGET-4: the token is in no address and no storage, and neither side takes messages from others',
  async () => {
    await withShop(async ({ stage, site, backend, agent, visit }) => {
      const { token } = await backend.createToken('ann', { agent_username: agent.username });
      site.token = async () => token;
      // A frame of the same page that plays the service, and one that plays the page.
      site.body += `<iframe id="stranger" srcdoc="<p>A stranger</p>"></iframe>`;
      const ann = await visit();
      await ann.open();
      await ann.say('Hello');
      const { page } = ann;
      const frame = page.frames().find((one) => one.url().includes('/widget'));
      expect(frame?.url()).not.toContain(token);
      const stored = await frame?.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
      expect(stored).not.toContain(token);
      const requested = page.evaluate(
        () => new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data), { once: true })),
      );
      const { asked } = site;
      await page
        .frameLocator('#stranger')
        .locator('p')
        .evaluate(() => {
          // To the page, as if it came from the widget, and to the widget's frame, as if it came from the page.
          parent.postMessage({ kind: 'token' }, '*');
          for (let at = 0; at < parent.frames.length; at += 1) {
            parent.frames[at]?.postMessage({ kind: 'shown', isOpen: false }, '*');
            parent.frames[at]?.postMessage({ kind: 'token', given: { token: 's_stolen' } }, '*');
          }
        });
      expect(await requested).toEqual({ kind: 'token' });
      await ann.say('Still open');
      expect(site.asked).toBe(asked);
      expect(stage.world.errors).toEqual([]);
    });
  },
);
