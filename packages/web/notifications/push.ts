import type { Client } from '@parley/client';
import { language } from '../words/language.ts';
import type { PageMessage } from '../worker/messages.ts';

export type PushState =
  | 'not-supported'
  | 'not-secure'
  | 'to-be-installed'
  | 'denied'
  | 'to-be-asked' // off; the browser asks for its permission first
  | 'off'
  | 'while-open' // on, by the open pages of the app alone (WEB-671)
  | 'on';

/** localStorage key: notifications are wanted on this browser. Cleared at sign-out. */
const WANTED = 'parley.push';

export const isPushWanted = (): boolean => localStorage.getItem(WANTED) !== null;

function wantPush(isWanted: boolean): void {
  if (isWanted) localStorage.setItem(WANTED, '1');
  else localStorage.removeItem(WANTED);
}

/**
 * Whether notifications are on in this browser; if not, why. Without a push service, or if the browser could not reach
 * its own, they are on only while a page of the app is open.
 */
export async function pushState(vapidKey: string | undefined): Promise<PushState> {
  if (!isSecureContext) return 'not-secure';
  const isPushMissing = vapidKey !== undefined && !('PushManager' in globalThis);
  if (!('serviceWorker' in navigator) || isPushMissing || !('Notification' in globalThis))
    return isIos() ? 'to-be-installed' : 'not-supported';
  const { permission } = Notification;
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'to-be-asked';
  if (!isPushWanted()) return 'off';
  return (await subscribed()) ? 'on' : 'while-open';
}

/** Whether the browser has a push subscription for the app. */
export async function subscribed(): Promise<boolean> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  return ((await registration?.pushManager?.getSubscription()) ?? null) !== null;
}

// iOS supports push only for pages on the home screen.
export const isIos = (): boolean => /iPhone|iPad/.test(navigator.userAgent);

const PATIENCE_MS = 20_000;

interface Enabling {
  client: Client;
  /** Undefined if the service sends no pushes. */
  vapidKey: string | undefined;
}

/**
 * Asks for permission, subscribes, and registers the subscription with the service. If there is nothing to subscribe to,
 * or the browser cannot reach its push service, notifications are on while a page is open.
 */
export async function enablePush({ client, vapidKey }: Enabling): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw new DOMException('not allowed', 'NotAllowedError');
  await navigator.serviceWorker.register('/service-worker.js', { scope: '/' });
  const registration = await navigator.serviceWorker.ready;
  wantPush(true);
  const subscription = vapidKey === undefined ? null : await subscribe(registration, vapidKey).catch(unlessRefused);
  if (!subscription) return;
  await client.call('registerPushToken', { token: pushToken(subscription), platform: 'web', locale: language });
  tell(registration, { kind: 'signed-in', url: client.url, token: client.token, locale: language });
}

function unlessRefused(error: unknown): null {
  const isUnreachable = error instanceof DOMException && error.name !== 'NotAllowedError';
  if (isUnreachable) return null;
  wantPush(false);
  throw error;
}

/** The token to register; it declares that the worker supports extended pushes (PUSH-15). */
export const pushToken = (subscription: PushSubscription): string =>
  JSON.stringify({ ...subscription.toJSON(), extras: true });

/** This browser's subscription; replaced if it belongs to a former key of the service. */
export async function subscribe(
  { pushManager }: ServiceWorkerRegistration,
  vapidKey: string,
): Promise<PushSubscription> {
  const key = bytesOf(vapidKey);
  const known = await pushManager.getSubscription();
  if (known && isSame(known.options.applicationServerKey, key)) return known;
  await known?.unsubscribe();
  const late = new Promise<never>((_resolve, reject) => {
    // Some browsers never time out when their push service does not answer.
    setTimeout(() => reject(new DOMException('no answer', 'TimeoutError')), PATIENCE_MS);
  });
  return Promise.race([pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }), late]);
}

/** Turns notifications off in this browser. */
export async function disablePush(client: Client): Promise<void> {
  wantPush(false);
  const registration = await navigator.serviceWorker.getRegistration('/');
  const subscription = await registration?.pushManager?.getSubscription();
  // Unsubscribe first, which works offline: the service drops endpoints that no longer exist.
  await forgetPush();
  if (subscription) await client.call('unregisterPushToken', { token: JSON.stringify(subscription) });
}

/** Removes the subscription, the worker's credentials and all shown notifications. */
export async function forgetPush(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration('/');
  if (!registration) return;
  tell(registration, { kind: 'signed-out' });
  for (const notification of await registration.getNotifications()) notification.close();
  await (await registration.pushManager?.getSubscription())?.unsubscribe();
}

export function tell({ active }: ServiceWorkerRegistration, message: PageMessage): void {
  active?.postMessage(message);
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
}

function isSame(one: ArrayBuffer | null, other: Uint8Array): boolean {
  const bytes = new Uint8Array(one ?? new ArrayBuffer(0));
  return bytes.length === other.length && bytes.every((byte, at) => byte === other[at]);
}
