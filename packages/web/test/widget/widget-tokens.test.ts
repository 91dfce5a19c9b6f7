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
        // Half the time.
        return { token, expires_at: new Date(Date.now() + (site.asked === 1 ? 20_000 : 3_600_000)).toISOString() };
      };
      const ann = await visit();
      await ann.open();
      await ann.composer.fill('half a sent');
      const field = await ann.composer.elementHandle();
      await expect.poll(() => site.asked, { timeout: 14_000 }).toBe(2);
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
    site.token = () => backend.createToken(site.asked === 1 ? 'ann' : 'bob', { agent_username: agent.username });
    const visitor = await visit();
    await visitor.open();
    await visitor.say('I am Ann');
    await visitor.page.evaluate(() => window.Parley?.renew());
    await visitor.message('I am Ann').waitFor({ state: 'detached' });
    await visitor.say('I am Bob');
    expect((await agent.api.getChats()).items).toHaveLength(2);
  });
});

inChromium('WIDGET-5: a page on which nobody is signed in shows no button and no chat', async () => {
  await withShop(async ({ site, backend, agent, visit }) => {
    const signedIn = site.token;
    site.token = async () => null;
    const ann = await visit();
    await expect.poll(() => site.asked).toBe(1);
    await ann.page.evaluate(() => window.Parley?.open());
    await expect.poll(() => site.asked).toBe(2);
    expect(await ann.button.isVisible()).toBe(false);

    site.token = signedIn;
    await ann.page.evaluate(() => window.Parley?.open());
    await ann.say('A secret');
    // Ann signs out of the page.
    site.token = async () => null;
    await ann.page.evaluate(() => window.Parley?.renew());
    await ann.button.waitFor({ state: 'hidden' });
    expect(await ann.page.locator('iframe').isVisible()).toBe(false);
    await ann.message('A secret').waitFor({ state: 'detached' });
    // Somebody else signs in.
    site.token = () => backend.createToken('bob', { agent_username: agent.username });
    await ann.page.evaluate(() => window.Parley?.renew());
    await ann.open();
    await ann.say('I am Bob');
    expect(await ann.message('A secret').count()).toBe(0);
  });
});

inChromium(
  'WIDGET-5: a page that does not answer is asked again, and a late answer is not taken for the next one',
  async () => {
    await withShop(async ({ site, backend, agent, visit }) => {
      const late = Promise.withResolvers<string>();
      const next = Promise.withResolvers<string>();
      const tokenOf = async (name: string) =>
        (await backend.createToken(name, { agent_username: agent.username })).token;
      const ann = await visit();
      await ann.open();
      site.token = () => late.promise;
      await ann.page.clock.install();
      await ann.page.reload();
      await expect.poll(() => site.asked).toBe(2);
      site.token = () => next.promise;
      await ann.page.clock.runFor(20_000);
      const alert = ann.frame.getByRole('alert');
      await ann.button.click();
      await alert.waitFor();
      await alert.getByRole('button', { name: 'Try now' }).click();
      await expect.poll(() => site.asked).toBe(3);
      late.resolve(await tokenOf('bob'));
      next.resolve(await tokenOf('ann'));
      await ann.say('I am here');
      const { items } = await agent.api.getChats();
      const said = await Promise.all(
        items.map(async ({ id: chat_id }) => (await agent.api.getChatHistory({ chat_id })).items.at(-1)?.sender),
      );
      const me = await (await backend.user('ann')).api.getMe();
      expect(said.filter((sender) => sender !== undefined)).toMatchObject([{ username: me.username }]);
    });
  },
);

inChromium(
  'WIDGET-4: the token is in no address of a page and no storage, and neither side takes messages from others',
  async () => {
    await withShop(async ({ stage, site, backend, agent, visit }) => {
      const ofAnn = (await backend.createToken('ann', { agent_username: agent.username })).token;
      const ofBob = (await backend.createToken('bob', { agent_username: agent.username })).token;
      site.token = async () => ofAnn;
      // A frame of the same page and origin that plays the service, and one that plays the page.
      site.body += `<iframe id="stranger" srcdoc="<p>A stranger</p>"></iframe>`;
      const ann = await visit();
      await ann.open();
      await ann.say('Hello');
      const { page } = ann;
      const frame = await ann.document();
      expect(frame.url()).not.toContain(ofAnn);
      const stored = await frame.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
      expect(stored).not.toContain(ofAnn);
      await ann.composer.fill('half a sentence');

      // The frame waits for the answer to its second request.
      const answer = Promise.withResolvers<string>();
      site.token = () => answer.promise;
      await page.evaluate(() => window.Parley?.renew());
      await expect.poll(() => site.asked).toBe(2);
      const received = frame.evaluate(
        async () =>
          new Promise<void>((resolve) => {
            addEventListener('message', ({ data }) => data.kind === 'shown' && resolve());
          }),
      );
      const requested = page.evaluate(
        async () => new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data), { once: true })),
      );
      const stranger = page.frameLocator('#stranger').locator('p');
      // The right origin, and another window.
      await stranger.evaluate((_, token) => {
        parent.postMessage({ kind: 'token', request: 9 }, '*');
        const root = parent.document.querySelector('parley-widget')?.shadowRoot;
        const widget = root?.querySelector('iframe')?.contentWindow;
        widget?.postMessage({ kind: 'token', request: 2, answer: { token } }, '*');
        widget?.postMessage({ kind: 'shown', isOpen: false }, '*');
      }, ofBob);
      expect(await requested).toEqual({ kind: 'token', request: 9 });
      await received;
      // The right window, and another origin.
      const origin = 'https://other.example';
      await frame.evaluate(
        (given) => {
          const token = { kind: 'token', request: 2, answer: { token: given.token } };
          for (const data of [token, { kind: 'shown', isOpen: false }])
            dispatchEvent(new MessageEvent('message', { source: parent, origin: given.origin, data }));
        },
        { token: ofBob, origin },
      );
      await page.evaluate(
        ({ other, service }) => {
          const root = document.querySelector('parley-widget')?.shadowRoot;
          const widget = root?.querySelector('iframe')?.contentWindow ?? null;
          for (const data of [{ kind: 'token', request: 9 }, { kind: 'close' }]) {
            dispatchEvent(new MessageEvent('message', { source: widget, origin: other, data }));
            dispatchEvent(new MessageEvent('message', { source: window, origin: service, data }));
          }
        },
        { other: origin, service: stage.world.url },
      );
      answer.resolve(ofAnn);
      expect(await ann.composer.inputValue()).toBe('half a sentence');
      await ann.say('Still open');
      expect(site.asked).toBe(2);
      const bob = await backend.user('bob');
      const [chat] = (await bob.api.getChats()).items;
      expect((await bob.api.getChatHistory({ chat_id: chat?.id ?? '' })).items).toEqual([]);
      expect(stage.world.errors).toEqual([]);
    });
  },
);
