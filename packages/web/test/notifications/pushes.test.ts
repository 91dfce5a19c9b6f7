import { FakePush } from '@parley/testing/push/fake-push.ts';
import { makePushKeys } from '@parley/testing/push/push-keys.ts';
import type { CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withServiceWorker, withStage } from '../setup/stage.ts';

/** Delivers the service's pushes to the app's service worker. */
async function workerOf(page: Page): Promise<(payload: unknown) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const registrationId = await registrationOf(session);
  const { origin } = new URL(page.url());
  return async (payload) => {
    const data = JSON.stringify(payload);
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  };
}

function registrationOf(session: CDPSession): Promise<string> {
  return new Promise((resolve, reject) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [found] }) => {
      if (found) resolve(found.registrationId);
    });
    session.send('ServiceWorker.enable').catch(reject);
  });
}

/** The bodies of the browser's notifications. */
const shown = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/');
    return ((await registration?.getNotifications()) ?? []).map(({ title, body }) => `${title}: ${body}`);
  });

/**
 * Delivers a push until the browser shows these notifications. Chromium drops a notification that a page asks for while
 * it is about to be displayed, so the push is repeated; a repeated push changes nothing else. Not before the worker has
 * handled it, for which it waits half a second for pages that do not answer: a repeat could overtake what follows.
 */
async function deliverUntil(page: Page, deliver: () => Promise<void>, expected: readonly string[]): Promise<void> {
  await deliver();
  let deliveredAt = performance.now();
  await expect
    .poll(async () => {
      const found = await shown(page);
      if (found.join() !== expected.join() && performance.now() - deliveredAt > 1_000) {
        await deliver();
        deliveredAt = performance.now();
      }
      return found;
    })
    .toEqual(expected);
}

inChromium('WEB-7: pushes show one notification per conversation; reading elsewhere closes it', async () => {
  await using push = await FakePush.start();
  const { env } = makePushKeys();
  await withStage(
    async (stage) => {
      const [ann, bob] = await Promise.all([
        stage.person('ann', withServiceWorker),
        stage.person('bob', withServiceWorker),
      ]);
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ username: 'bob' });

      // The subscription points to the test's push service instead of Chromium's.
      await bob.context.grantPermissions(['notifications']);
      await bob.context.addInitScript(subscribeTo, withoutExtras(push.subscribe('bob')));
      await bob.page.goto(`${stage.world.url}/settings/notifications`);
      const device = bob.page.getByRole('switch', { name: 'Notifications on this device' });
      await device.click();
      await expect.poll(async () => device.getAttribute('aria-checked')).toBe('true');
      await stage.picture('notifications', bob.page);

      // Leave the app for another page of the service, so that no app page is visible.
      await bob.page.goto(`${stage.world.url}/docs`);
      const deliver = await workerOf(bob.page);
      const received = async (n: number) => (await push.nth('bob', n)).payload;
      await api.sendMessage({ chat_id, text: 'hello' });
      const first = await received(1);
      await deliverUntil(bob.page, () => deliver(first), ['Ann: hello']);
      await api.sendMessage({ chat_id, text: 'are you there?' });
      const second = await received(2);
      await deliverUntil(bob.page, () => deliver(second), ['Ann: are you there?']);
      // A push that arrives late changes nothing.
      await deliver(first);

      // Bob reads it on another device.
      const other = await stage.browser(withServiceWorker);
      await other.signIn('bob');
      await other.open(chat_id);
      const { api: bobsApi } = await bob.actor();
      await expect.poll(async () => (await bobsApi.getChat({ chat_id })).unread_count).toBe(0);
      // The closing push is sent after his last socket has closed.
      await other.context.close();
      const third = await received(3);
      await deliverUntil(bob.page, () => deliver(third), []);

      // Opening a page closes notifications for read messages.
      const late = { title: 'Ann', body: 'late', chat_id, message_id: 'm', position: 1 };
      await deliverUntil(bob.page, () => deliver(late), ['Ann: late']);
      const tab = await bob.tab();
      await tab.open(chat_id);
      await expect.poll(async () => shown(bob.page)).toEqual([]);

      // The visible conversation gets no notification, others do.
      const { position, message_id } = { position: 9_000, message_id: 'm' };
      await deliver({ title: 'Ann', body: 'in sight', chat_id, message_id, position });
      const elsewhere = { title: 'Cy', body: 'elsewhere', chat_id: 'other', message_id, position };
      await deliverUntil(bob.page, () => deliver(elsewhere), ['Cy: elsewhere']);
      await deliver({ close: { chat_id: 'other', message_id, position: position - 1 } });
      await deliver({ close: { chat_id: 'other', message_id, position } });
      await expect.poll(async () => shown(bob.page)).toEqual([]);
    },
    { env, kind: 'whole' },
  );
});

/** Runs in the page before the app. */
/** A fake subscription; the app adds `extras` itself. */
const withoutExtras = (json: string): string => JSON.stringify({ ...JSON.parse(json), extras: undefined });

function subscribeTo(json: string): void {
  let current: object | null = null;
  const made = {
    ...JSON.parse(json),
    options: {},
    toJSON: () => JSON.parse(json),
    unsubscribe: async () => (current = null),
  };
  Object.assign(PushManager.prototype, {
    subscribe: async () => (current = made),
    getSubscription: async () => current,
  });
}

inChromium(
  'WEB-369: a device is registered with the language of the app, and again when it starts in another',
  async () => {
    await using push = await FakePush.start();
    const { env } = makePushKeys();
    await withStage(
      async (stage) => {
        const bob = await stage.person('bob', withServiceWorker);
        await bob.context.grantPermissions(['notifications']);
        await bob.context.addInitScript(subscribeTo, withoutExtras(push.subscribe('bob')));
        await bob.page.goto(`${stage.world.url}/settings/notifications`);
        const locales = async () =>
          (await stage.world.sql<{ locale: string }>('SELECT locale FROM push_tokens')).map(({ locale }) => locale);
        await bob.page.getByRole('switch', { name: 'Notifications on this device' }).click();
        await expect.poll(locales).toEqual(['en']);
        await bob.page.evaluate(() => localStorage.setItem('parley.language', 'de'));
        await bob.page.reload();
        await expect.poll(locales).toEqual(['de']);
      },
      { env, kind: 'whole' },
    );
  },
);

inChromium('WEB-671: without a push service a hidden page tells of messages, once over several pages', async () => {
  await withStage(
    async (stage) => {
      const bob = await stage.world.member('bob');
      const ann = await stage.person('ann', withServiceWorker);
      const { id: chat_id } = await bob.api.startChat({ username: 'ann' });
      const { id: muted } = await bob.api.startChat({ usernames: ['ann'], title: 'Noise' });
      await (await ann.actor()).api.setChatNotifications({ chat_id: muted, is_muted: true });
      await ann.context.grantPermissions(['notifications']);
      await ann.page.goto(`${stage.world.url}/settings/notifications`);
      const device = ann.page.getByRole('switch', { name: 'Notifications on this device' });
      await device.click();
      await ann.page.getByText('Keep a page of Parley open').waitFor();
      expect(await device.getAttribute('aria-checked')).toBe('true');
      await stage.picture('notifications-while-open', ann.page);

      // Headless pages are never hidden: the test says that they are.
      await ann.context.addInitScript(() => {
        const isHidden = () => document.documentElement.dataset['seen'] === undefined;
        Object.defineProperty(document, 'hidden', { get: isHidden });
        Object.defineProperty(document, 'visibilityState', { get: () => (isHidden() ? 'hidden' : 'visible') });
      });
      const other = await ann.context.newPage();
      for (const page of [ann.page, other]) {
        await page.goto(`${stage.world.url}/chat/${chat_id}`);
        await page.getByRole('log', { name: 'Messages' }).waitFor();
      }
      await bob.api.sendMessage({ chat_id: muted, text: 'noise' });
      await bob.api.sendMessage({ chat_id, text: 'hello' });
      await expect.poll(async () => shown(other)).toEqual(['bob: hello']);

      // Somebody looks at one of the pages: it shows the message itself.
      await other.evaluate(() => {
        document.documentElement.dataset['seen'] = '';
        document.dispatchEvent(new Event('visibilitychange'));
      });
      await bob.api.sendMessage({ chat_id, text: 'again' });
      await other.getByText('again').last().waitFor();
      await expect.poll(async () => shown(other)).toEqual([]);
    },
    { kind: 'whole' },
  );
});
