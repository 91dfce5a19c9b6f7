import { createApi } from '@parley/client';
import { isForLimited } from '@parley/protocol/limited-sessions';
import { openSession, type Session } from '../session/session.ts';
import type { GivenToken } from './host-messages.ts';

/** Delay before the page is asked again; it doubles with each failure. */
const FIRST_DELAY_MS = 1_000;
const MOST_DELAY_MS = 60_000;
/** How long before its end a token is replaced; of a short one half its time. */
const AHEAD_MS = 60_000;
/** Maximum delay before a token is replaced: the service gives none that is valid for longer. */
const DAY_MS = 24 * 3_600_000;

export interface WidgetSession {
  readonly session: Session | null;
  /** The page gave no token that the service accepts. It is asked again later. */
  readonly hasFailed: boolean;
}

/**
 * The session of the widget, with a token from the page around it. The page is asked for another one before the token
 * expires, and when the service has refused it; then the session goes on (WIDGET-5).
 */
export class RenewedSession {
  readonly #ask: () => Promise<GivenToken | null>;
  readonly #listeners = new Set<() => void>();
  #state: WidgetSession = { session: null, hasFailed: false };
  #isAsking = false;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ask: () => Promise<GivenToken | null>) {
    this.#ask = ask;
    void this.renew();
  }

  readonly get = (): WidgetSession => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Asks the page for a token now. */
  readonly renew = async (): Promise<void> => {
    if (this.#isAsking) return;
    this.#isAsking = true;
    clearTimeout(this.#timer);
    const given = await this.#ask();
    const isTaken = given !== null && (await this.#take(given).catch(() => false));
    this.#isAsking = false;
    if (isTaken) this.#plan(given.expires_at);
    else this.#fail();
  };

  /** Returns whether the service accepts the token. */
  async #take({ token }: GivenToken): Promise<boolean> {
    // Asked first: the page may have signed in somebody else.
    const { username } = await createApi({ url: location.origin, token }).getMe();
    const { session } = this.#state;
    if (session?.username === username) {
      session.client.renew(token);
      this.#set({ session, hasFailed: false });
      return true;
    }
    session?.client.close();
    const next = openSession(username, { token, may: isForLimited });
    next.client.onState((state) => {
      if (state === 'live') this.#failures = 0;
      if (state === 'closed' && next.client.closeReason !== 'closed') void this.renew();
    });
    this.#set({ session: next, hasFailed: false });
    return true;
  }

  #plan(expiresAt: string | undefined): void {
    const leftMs = expiresAt === undefined ? NaN : Math.min(DAY_MS, Date.parse(expiresAt) - Date.now());
    if (leftMs > 0) this.#timer = setTimeout(() => void this.renew(), Math.max(leftMs - AHEAD_MS, leftMs / 2));
  }

  #fail(): void {
    this.#set({ ...this.#state, hasFailed: true });
    this.#timer = setTimeout(() => void this.renew(), Math.min(MOST_DELAY_MS, FIRST_DELAY_MS * 2 ** this.#failures));
    this.#failures += 1;
  }

  #set(state: WidgetSession): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
