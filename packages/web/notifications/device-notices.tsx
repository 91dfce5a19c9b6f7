import type { NotifPrefs } from '@parley/protocol';
import { useEffect, useState } from 'react';
import { useNavigate } from '../browser/navigation.ts';
import { openChatId, usePage } from '../browser/page.ts';
import { chatRoute } from '../browser/route.ts';
import { useSession } from '../session/session.ts';
import { useCell } from '../session/use-cell.ts';
import { language } from '../words/language.ts';
import type { Whereabouts, WorkerMessage } from '../worker/messages.ts';
import { badgeOf } from './badge.ts';
import { forgetPush, isPushWanted, pushToken, subscribe, tell } from './push.ts';

/** The page's side of notifications: answers the service worker, closes read notifications, sets the badge. */
export function DeviceNotices() {
  const navigate = useNavigate();
  const page = usePage();
  const { client, store } = useSession();
  const unread = useCell(store.unreadTotal);
  const { ids } = useCell(store.chats);
  const [badgePrefs, setBadgePrefs] = useState<NotifPrefs['badge'] | null>(null);

  useEffect(() => {
    // Undefined on pages without https.
    const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
    if (!workers) return undefined;
    const onMessage = ({ data, ports }: MessageEvent<WorkerMessage>) => {
      if (data.kind === 'open') return navigate(chatRoute(data.chatId));
      const isSeen = document.visibilityState === 'visible';
      ports[0]?.postMessage({ chatId: openChatId(page), isSeen } satisfies Whereabouts);
      return undefined;
    };
    workers.addEventListener('message', onMessage);
    workers.startMessages();
    return () => workers.removeEventListener('message', onMessage);
  }, [navigate, page]);

  useEffect(() => {
    // Renew the subscription: the browser's endpoint or the service's key may have changed. Failures are harmless.
    void refresh().catch(() => undefined);
    async function refresh() {
      const registration = await navigator.serviceWorker?.getRegistration('/');
      if (!registration) return;
      // The subscription is left over from another account.
      if (!isPushWanted()) return forgetPush();
      if (Notification.permission !== 'granted') return;
      void registration.update().catch(() => undefined);
      const { vapid_public_key } = await client.call('getNotificationPrefs');
      if (vapid_public_key === undefined) return;
      const subscription = await subscribe(registration, vapid_public_key);
      await client.call('registerPushToken', { token: pushToken(subscription), platform: 'web', locale: language });
      tell(registration, { kind: 'signed-in', url: client.url, token: client.token, locale: language });
    }
    return () => {
      if (!isPushWanted()) void forgetPush().catch(() => undefined);
    };
  }, [client]);

  useEffect(() => {
    void tidy().catch(() => undefined);
    async function tidy() {
      const registration = await navigator.serviceWorker?.getRegistration('/');
      for (const notification of (await registration?.getNotifications()) ?? []) {
        const { chatId, position } = (notification.data ?? {}) as { chatId?: string; position?: number }; // data set by the worker
        const chat = store.chat(chatId ?? '').get();
        if (chat && chat.last_read_position >= (position ?? 0)) notification.close();
      }
    }
  }, [store, unread, ids]);

  useEffect(() => {
    if (!('setAppBadge' in navigator) || !isPushWanted()) return undefined;
    let isCurrent = true;
    client.call('getNotificationPrefs').then(
      ({ account }) => isCurrent && setBadgePrefs(account.badge),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [client]);

  useEffect(() => {
    if (!badgePrefs || !('setAppBadge' in navigator)) return;
    const count = badgeOf(
      ids.flatMap((id) => store.chat(id).get() ?? []),
      badgePrefs,
    );
    void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
  }, [store, unread, ids, badgePrefs]);

  return null;
}
