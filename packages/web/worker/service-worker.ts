/// <reference lib="webworker" />
// Pushes become notifications here, and read ones go away; and the app opens without a network (shell.ts). It loads as
// one file: what it imports, nothing of the app's pages may, unless it is types alone.
import { forgetCredentials, keepCredentials, readCredentials } from './credentials.ts';
import type { PageMessage, Whereabouts, WorkerMessage } from './messages.ts';
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

// The page's types are loaded as well, and say that it is a window.
const worker = self as unknown as ServiceWorkerGlobalScope;
const ICON = '/icon.svg';
/** A page that is in sight answers at once; one that is frozen never does. */
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
  // Where that did not work before.
  if (event.request.mode === 'navigate') event.waitUntil(answer.then(tryToKeepShell, () => undefined));
});
worker.addEventListener('push', (event) => event.waitUntil(onPush(parsePush(event.data?.text() ?? ''))));
worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const data = dataOf(event.notification.data);
  event.waitUntil(open(data?.chatId ?? null));
});
worker.addEventListener('message', (event) => event.waitUntil(onPageMessage(event.data)));
// Not in the types of every version of the library.
worker.addEventListener('pushsubscriptionchange', (event) => {
  const change = event as ExtendableEvent & { oldSubscription?: PushSubscription; newSubscription?: PushSubscription };
  change.waitUntil(renew(change.oldSubscription, change.newSubscription));
});

/** Without it pushes work all the same. */
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
      return worker.registration.showNotification('Parley', {
        body: 'There is something new.',
        icon: ICON,
        tag: 'unknown',
      });
    default:
      return push satisfies never;
  }
}

async function showMessage({
  title,
  body,
  chatId,
  messageId,
  position,
}: Extract<Push, { kind: 'message' }>): Promise<void> {
  const shown = await worker.registration.getNotifications({ tag: chatId });
  // One that was overtaken: a newer one of its conversation is shown already.
  if (
    !isNews(
      position,
      shown.map(({ data }) => data),
    )
  )
    return;
  const data: NotificationData = { chatId, messageId, position };
  // Of one conversation the newest alone, which is heard again each time. `renotify` is not in the library's types.
  const options: NotificationOptions & { renotify: boolean } = {
    body,
    data,
    icon: ICON,
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

/** A push that shows nothing; where the browser does not suffer that, something is shown and taken away. */
async function passSilently(): Promise<void> {
  if (!mustShowSomething(worker.navigator.userAgent)) return;
  const tag = 'passing';
  await worker.registration.showNotification('Parley', { body: 'Up to date.', tag, silent: true });
  for (const notification of await worker.registration.getNotifications({ tag })) notification.close();
}

/** A number on the app's icon, where there is such a thing. */
async function showBadge(count: number): Promise<void> {
  const { navigator } = worker;
  // What an installed app has; in the types it is always there.
  const isThere = 'setAppBadge' in navigator;
  if (isThere) await (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
}

/** Somebody is looking at this conversation: they need no notification, and no browser wants one while a page is in sight. */
async function isInSight(chatId: string): Promise<boolean> {
  const windows = await worker.clients.matchAll({ type: 'window' });
  const answers = await Promise.all(
    windows.filter(({ visibilityState }) => visibilityState === 'visible').map(whereIs),
  );
  return answers.includes(chatId);
}

/** What a page shows. Its address tells only what it was opened at. */
function whereIs(page: WindowClient): Promise<string | null> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    setTimeout(() => resolve(null), ANSWER_MS);
    port1.addEventListener('message', ({ data }: MessageEvent<Whereabouts>) => resolve(data.chatId), { once: true });
    port1.start();
    page.postMessage({ kind: 'where' } satisfies WorkerMessage, [port2]);
  });
}

/** Brings a window to the front, at the conversation; a new one where there is none. */
async function open(chatId: string | null): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window' });
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
    case 'signed-in':
      await keepCredentials({ url: message.url, token: message.token });
      return;
    case 'signed-out':
      await forgetCredentials();
      return showBadge(0);
    default:
      return message satisfies never;
  }
}

/** The browser has another address for its pushes: the service is told, also while no page is open. */
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
  // As pushToken of the app's pages makes it.
  const token = JSON.stringify({ ...subscription.toJSON(), extras: true });
  await tellService(credentials, 'registerPushToken', { token, platform: 'web' });
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
