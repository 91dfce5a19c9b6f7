/// <reference lib="webworker" />
// The service worker: shows pushes as notifications, closes read ones, and lets the app open offline (shell.ts).
// It is built as one file, so pages may import only types from this folder, and it imports from no other.
import { forgetCredentials, keepCredentials, readCredentials } from './credentials.ts';
import type { News, PageMessage, Whereabouts, WorkerMessage } from './messages.ts';
import {
  chatPath,
  dataOf,
  isNews,
  isOver,
  mustShowSomething,
  type NotificationData,
  parsePush,
  type Push,
} from './notifications.ts';
import { answerOf, keepShell } from './shell.ts';

// The page's types are loaded too, and declare a window.
const worker = self as unknown as ServiceWorkerGlobalScope;
const ICON = '/icon.svg';
/** How long to wait for a page's answer: visible pages answer at once, frozen ones never. */
const ANSWER_MS = 500;

worker.addEventListener('install', (event) => {
  void worker.skipWaiting();
  event.waitUntil(tryToKeepShell());
});
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener('fetch', (event) => {
  const answer = answerOf(event.request);
  if (answer === null) return;
  event.respondWith(answer);
  // In case an earlier attempt failed.
  if (event.request.mode === 'navigate') event.waitUntil(answer.then(tryToKeepShell, () => undefined));
});
worker.addEventListener('push', (event) => event.waitUntil(onPush(parsePush(event.data?.text() ?? ''))));
worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const data = dataOf(event.notification.data);
  event.waitUntil(open(data?.chatId ?? null));
});
worker.addEventListener('message', (event) => event.waitUntil(onPageMessage(event.data)));
// Missing in the types of some library versions.
worker.addEventListener('pushsubscriptionchange', (event) => {
  const change = event as ExtendableEvent & { oldSubscription?: PushSubscription; newSubscription?: PushSubscription };
  change.waitUntil(renew(change.oldSubscription, change.newSubscription));
});

/** Caches the shell; a failure is ignored, because pushes work without it. */
const tryToKeepShell = (): Promise<void> => keepShell().catch(() => undefined);

async function onPush(push: Push): Promise<void> {
  if ('badge' in push && push.badge !== null) await showBadge(push.badge);
  switch (push.kind) {
    case 'message':
      return (await isInSight(push.chatId)) ? undefined : showMessage(push);
    case 'close':
      await closeUpTo(push.chatId, push.position);
      return passSilently();
    case 'badge':
      return passSilently();
    case 'unknown':
      // Without words: the worker knows no language.
      return worker.registration.showNotification('Parley', { icon: ICON, tag: 'unknown' });
    default:
      return push satisfies never;
  }
}

async function showMessage({ title, body, chatId, messageId, position, icon }: News): Promise<void> {
  const shown = await worker.registration.getNotifications({ tag: chatId });
  // A newer message of the conversation is already shown: skip this one.
  if (
    !isNews(
      position,
      shown.map(({ data }) => data),
    )
  )
    return;
  const data: NotificationData = { chatId, messageId, position };
  // One notification per conversation, which alerts again each time. `renotify` is missing in the library's types.
  const options: NotificationOptions & { renotify: boolean } = {
    body,
    data,
    icon: icon ?? ICON,
    badge: ICON,
    tag: chatId,
    renotify: true,
  };
  await worker.registration.showNotification(title, options);
}

async function closeUpTo(chatId: string, position: number): Promise<void> {
  for (const notification of await worker.registration.getNotifications())
    if (isOver(notification.data, chatId, position)) notification.close();
}

/** Handles a push without a notification; where the browser requires one, it is shown and closed at once. */
async function passSilently(): Promise<void> {
  if (!mustShowSomething(worker.navigator.userAgent)) return;
  const tag = 'passing';
  await worker.registration.showNotification('Parley', { tag, silent: true });
  for (const notification of await worker.registration.getNotifications({ tag })) notification.close();
}

/** Sets the badge on the app's icon, where supported. */
async function showBadge(count: number): Promise<void> {
  const { navigator } = worker;
  // Only installed apps have this function, although the types always declare it.
  const isThere = 'setAppBadge' in navigator;
  if (isThere) await (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
}

/** The app's pages, without the widget's frames on pages of other sites. */
const pages = async (): Promise<WindowClient[]> =>
  (await worker.clients.matchAll({ type: 'window' })).filter(({ frameType }) => frameType === 'top-level');

/** Whether the conversation is visible on a page: it needs no notification then, and no browser requires one. */
async function isInSight(chatId: string): Promise<boolean> {
  return (await whereabouts()).some((page) => page.chatId === chatId);
}

/** What the visible pages answer. */
async function whereabouts(): Promise<Whereabouts[]> {
  const windows = await pages();
  return Promise.all(windows.filter(({ visibilityState }) => visibilityState === 'visible').map(whereIs));
}

/** The messages that pages have told of: each of several hidden pages does. */
const told = new Set<string>();
const MAX_TOLD = 100;

/** Shows what a hidden page tells, once, unless somebody looks at another page of the app: that one shows it. */
async function showNews(news: News): Promise<void> {
  if (told.has(news.messageId)) return;
  told.add(news.messageId);
  const [oldest] = told;
  if (oldest !== undefined && told.size > MAX_TOLD) told.delete(oldest);
  if (!(await whereabouts()).some(({ isSeen }) => isSeen)) await showMessage(news);
}

/** Asks a page for its open conversation: client.url only has the address it was opened at. */
function whereIs(page: WindowClient): Promise<Whereabouts> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    setTimeout(() => resolve({ chatId: null, isSeen: false }), ANSWER_MS);
    port1.addEventListener('message', ({ data }: MessageEvent<Whereabouts>) => resolve(data), { once: true });
    port1.start();
    page.postMessage({ kind: 'where' } satisfies WorkerMessage, [port2]);
  });
}

/** Focuses a window and opens the conversation in it; opens a new window if there is none. */
async function open(chatId: string | null): Promise<void> {
  const windows = await pages();
  const page =
    windows.find(({ focused }) => focused) ??
    windows.find(({ visibilityState }) => visibilityState === 'visible') ??
    windows[0];
  if (!page) return void (await worker.clients.openWindow(chatId === null ? '/' : chatPath(chatId)));
  await page.focus().catch(() => page);
  if (chatId !== null) page.postMessage({ kind: 'open', chatId } satisfies WorkerMessage);
  return undefined;
}

async function onPageMessage(message: PageMessage): Promise<void> {
  switch (message.kind) {
    case 'news':
      return showNews(message.news);
    case 'signed-in':
      await keepCredentials({ url: message.url, token: message.token, locale: message.locale });
      return;
    case 'signed-out':
      // Each start of the app without pushes says so: most of the time there is nothing to clear.
      if ((await readCredentials()) === null) return undefined;
      await forgetCredentials();
      return showBadge(0);
    default:
      return message satisfies never;
  }
}

/** Registers the browser's new push endpoint with the service, even while no page is open. */
async function renew(former: PushSubscription | undefined, next: PushSubscription | undefined): Promise<void> {
  const credentials = await readCredentials();
  if (!credentials) return;
  const { pushManager } = worker.registration;
  const options = former?.options ?? (await pushManager.getSubscription())?.options;
  const subscription =
    next ??
    (await pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: options?.applicationServerKey ?? null,
    }));
  // The same format as pushToken in notifications/push.ts.
  const token = JSON.stringify({ ...subscription.toJSON(), extras: true });
  await tellService(credentials, 'registerPushToken', { token, platform: 'web', locale: credentials.locale });
  if (former) await tellService(credentials, 'unregisterPushToken', { token: JSON.stringify(former) });
}

async function tellService(
  { url, token }: { url: string; token: string },
  operation: string,
  params: object,
): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  await fetch(`${url}/api/${operation}`, { method: 'POST', headers, body: JSON.stringify(params) });
}
