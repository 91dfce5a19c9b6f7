import type { FakeApns } from './fake-apns.ts';
import type { FakePush } from './fake-push.ts';

/** The part of a push that a client reads. */
interface Contents {
  alert: string | undefined;
  place: Place | undefined;
  close: Place | undefined;
  badge: number | undefined;
}
interface Place {
  chat_id: string;
  position: number;
}

/**
 * A device as its user sees it (PUSH-24). While it is offline, its push service keeps the newest push of each topic. It
 * shows one notification per conversation, and closes them like the service worker or the app.
 */
export class PushDevice {
  /** Notifications by conversation. */
  readonly shown = new Map<string, { position: number; alert: string }>();
  /** The number on its icon. */
  badge = 0;
  isOnline = true;
  readonly #taken: () => { topic: string; contents: Contents }[];
  readonly #held = new Map<string, Contents>();
  #next = 0;

  private constructor(taken: () => { topic: string; contents: Contents }[]) {
    this.#taken = taken;
  }

  static browser(push: FakePush, device: string): PushDevice {
    return new PushDevice(() =>
      push
        .of(device)
        .filter(({ status }) => status < 300)
        .map(({ headers, payload }) => ({ topic: String(headers['topic']), contents: inBrowser(payload ?? {}) })),
    );
  }

  static phone(apns: FakeApns, device: string): PushDevice {
    return new PushDevice(() =>
      apns.of(device).map(({ headers, aps, custom }) => ({
        topic: String(headers['apns-collapse-id']),
        contents: onPhone(aps, custom),
      })),
    );
  }

  /** Receives pending pushes if it is online. */
  receive(): void {
    const taken = this.#taken();
    for (const { topic, contents } of taken.slice(this.#next)) {
      this.#held.delete(topic);
      this.#held.set(topic, contents);
      if (this.isOnline) this.#deliver();
    }
    this.#next = taken.length;
    if (this.isOnline) this.#deliver();
  }

  /** The user has read a conversation up to this position: the app closes its notification and computes the badge. */
  read(chatId: string, position: number, badge: number): void {
    this.#close({ chat_id: chatId, position });
    this.badge = badge;
  }

  #deliver(): void {
    for (const { alert, place, close, badge } of this.#held.values()) {
      if (alert !== undefined && place) this.shown.set(place.chat_id, { position: place.position, alert });
      if (close) this.#close(close);
      if (badge !== undefined) this.badge = badge;
    }
    this.#held.clear();
  }

  #close({ chat_id: chatId, position }: Place): void {
    const shown = this.shown.get(chatId);
    if (shown && shown.position <= position) this.shown.delete(chatId);
  }
}

// The service sends these types; anything else fails the test that reads it.
const inBrowser = (payload: Readonly<Record<string, unknown>>): Contents => ({
  alert: payload['body'] as Contents['alert'],
  place: 'position' in payload ? (payload as unknown as Place) : undefined,
  close: payload['close'] as Contents['close'],
  badge: payload['badge'] as Contents['badge'],
});
const onPhone = (aps: Readonly<Record<string, unknown>>, custom: Readonly<Record<string, unknown>>): Contents => ({
  alert: (aps['alert'] as { body: string } | undefined)?.body,
  place: 'position' in custom ? (custom as unknown as Place) : undefined,
  close: custom['close'] as Contents['close'],
  badge: aps['badge'] as Contents['badge'],
});
