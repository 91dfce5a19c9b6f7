import type { PushPlatform } from '../store/notifications.ts';
import type { BrowserKeys } from './aes128gcm.ts';

/** A browser's subscription, as registerPushToken stores it. */
export interface Subscription {
  endpoint: string;
  keys: BrowserKeys;
  /** The client wants more than title and body, and pushes that show nothing (PUSH-15). */
  extras?: true;
}

/** The stored text was checked, and written in this form, at the registration. */
export const readSubscription = (text: string): Subscription => JSON.parse(text);

/** Whether pushes to this token may hold more than a title and a body; those to iOS always do. */
export const takesExtras = ({ platform, token }: { platform: PushPlatform; token: string }): boolean =>
  platform === 'ios' || readSubscription(token).extras === true;
