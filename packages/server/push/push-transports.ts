import type { Clock } from '../core/clock.ts';
import type { PushPlatform } from '../store/notifications.ts';
import type { EndpointGuard } from '../outbound/endpoint-guard.ts';
import type { Apns, Vapid } from './push-config.ts';
import type { PushTransport } from './push-transport.ts';

interface PushTransportsNeeds {
  vapid: Vapid | null;
  apns: Apns | null;
  guard: EndpointGuard;
  clock: Clock;
}

/** The configured transports. Each is loaded by the first push that needs it, so that it does not delay the start. */
export class PushTransports {
  readonly #makers: Readonly<Record<PushPlatform, (() => Promise<PushTransport>) | null>>;
  readonly #made = new Map<PushPlatform, Promise<PushTransport>>();
  #isClosed = false;

  constructor({ vapid, apns, guard, clock }: PushTransportsNeeds) {
    this.#makers = {
      web: vapid && (async () => (await import('./web-push.ts')).createWebPush({ vapid, guard, clock })),
      ios: apns && (async () => (await import('./apns.ts')).createApns({ apns, clock })),
    };
  }

  has(platform: PushPlatform): boolean {
    return this.#makers[platform] !== null;
  }

  /** Returns null if the service is stopping. */
  async get(platform: PushPlatform): Promise<PushTransport | null> {
    let made = this.#made.get(platform);
    if (!made) {
      const make = this.#makers[platform];
      if (!make || this.#isClosed) return null;
      made = make();
      this.#made.set(platform, made);
    }
    const transport = await made;
    if (!this.#isClosed) return transport;
    transport.close();
    return null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const made of await Promise.allSettled(this.#made.values()))
      if (made.status === 'fulfilled') made.value.close();
  }
}
