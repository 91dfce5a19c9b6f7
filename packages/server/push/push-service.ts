import type { PushPlatform } from '../store/notifications.ts';

/** The service that delivers to a device: Apple, or the origin of the browser's endpoint. */
export const serviceOf = (platform: PushPlatform, address: string): string =>
  platform === 'ios' ? 'apns' : (URL.parse(address)?.origin ?? '');
