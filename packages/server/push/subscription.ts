import type { PushPlatform } from '../store/notifications.ts';
import type { BrowserKeys } from './aes128gcm.ts';

/** A browser's subscription, as registerPushToken stores it. */
export interface Subscription {
  endpoint: string;
  keys: BrowserKeys;
  /** The client accepts more than title and body, and pushes that show nothing (PUSH-15). */
  extras?: true;
}

/** Registration has checked the text and written it in this form. */
export const readSubscription = (text: string): Subscription => JSON.parse(text);

/** Whether pushes to this token may contain more than a title and a body; those to iOS always may. */
export const takesExtras = ({ platform, token }: { platform: PushPlatform; token: string }): boolean =>
  platform === 'ios' || readSubscription(token).extras === true;
