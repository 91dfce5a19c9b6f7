import type { PushPlatform } from '../store/notifications.ts';

/** Who delivers to a device: Apple, or the service that the browser chose. */
export const serviceOf = (platform: PushPlatform, address: string): string =>
  platform === 'ios' ? 'apns' : (URL.parse(address)?.origin ?? '');
