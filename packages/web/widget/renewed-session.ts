import type { Client, Clock, Timer } from '@parley/client';
import type { GivenToken, TokenAnswer } from './host-messages.ts';
import type { TokenOwner } from './token-owner.ts';

/** Delay before the page is asked again; it doubles with each failure. */
const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;
/** How long before its end a token is replaced; of a short one half its time. */
const AHEAD_MS = 60_000;
/** Minimum delay before a token is replaced, because each one costs the page's backend a request. */
const LEAST_MS = 10_000;
/** Maximum delay before a token is replaced: the service gives none that is valid for longer. */
const DAY_MS = 24 * 3_600_000;

/** What is renewed of a session. */
interface Renewable {
  readonly username: string;
  readonly client: Pick<Client, 'token' | 'state' | 'closeReason' | 'onState' | 'renew' | 'close'>;
}

export type WidgetState<Opened extends Renewable = Renewable> =
  /** The page has not answered yet. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'open'; readonly session: Opened }
  /** The page gave no token that the service accepts. It is asked again later. */
  | { readonly kind: 'failed' }
  /** Nobody is signed in on the page, which says when this changes. */
  | { readonly kind: 'nobody' };

interface RenewedSessionOptions<Opened extends Renewable> {
  readonly ask: () => Promise<TokenAnswer>;
  readonly ownerOf: (token: string) => Promise<TokenOwner>;
  readonly open: (username: string, token: string) => Opened;
  readonly clock: Clock;
}

/**
 * The session of the widget, with a token from the page around it. The page is asked for another one before the token
 * expires, and when the service has refused it; then the session goes on (WIDGET-5).
 */
export class RenewedSession<Opened extends Renewable> {
  readonly #options: RenewedSessionOptions<Opened>;
  readonly #listeners = new Set<() => void>();
  #state: WidgetState<Opened> = { kind: 'asking' };
  #isAsking = false;
  /** Number of times that the page was asked. */
  #asked = 0;
  #failures = 0;
  /** Whether the client was live with its token. */
  #isProven = false;
  #timer: Timer | undefined;

  constructor(options: RenewedSessionOptions<Opened>) {
    this.#options = options;
    void this.renew();
  }

  readonly get = (): WidgetState<Opened> => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Asks the page for a token now. `anew`: also if it is being asked, because that answer may be about a former user. */
  readonly renew = async ({ anew = false } = {}): Promise<void> => {
    if (this.#isAsking && !anew) return;
    this.#isAsking = true;
    this.#timer?.cancel();
    this.#asked += 1;
    const asked = this.#asked;
    const answer = await this.#options.ask();
    // Looked up before it is used: the page may have signed in somebody else.
    const owner = typeof answer === 'string' ? null : await this.#options.ownerOf(answer.token).catch(() => null);
    if (asked !== this.#asked) return;
    this.#isAsking = false;
    if (answer === 'nobody') this.#drop('nobody');
    else if (answer === 'failed' || !owner) this.#fail();
    else this.#take(answer, owner);
  };

  #take({ token, expires_at = '' }: GivenToken, { username, serviceNowMs }: TokenOwner): void {
    const former = this.#state.kind === 'open' ? this.#state.session : null;
    const isKnown = former?.username === username && former.client.token === token;
    if (former?.username !== username) {
      former?.client.close();
      this.#open(username, token);
    } else if (!isKnown || former.client.state === 'closed') {
      this.#isProven = false;
      former.client.renew(token);
    }
    const leftMs = Math.min(DAY_MS, Date.parse(expires_at) - serviceNowMs);
    // A page that gives the same token again has no newer one before its end.
    const delayMs = isKnown ? leftMs : Math.max(leftMs - AHEAD_MS, leftMs / 2);
    if (leftMs > 0) this.#renewIn(Math.max(LEAST_MS, delayMs));
  }

  #open(username: string, token: string): void {
    const session = this.#options.open(username, token);
    const { client } = session;
    this.#isProven = false;
    client.onState((state) => {
      if (this.#state.kind !== 'open' || this.#state.session !== session) return;
      if (state === 'live') {
        this.#isProven = true;
        this.#failures = 0;
      } else if (state === 'closed' && client.closeReason !== 'closed' && !this.#isAsking) {
        // One that the service refuses before it was live is no better at once.
        if (this.#isProven) void this.renew();
        else this.#fail();
      }
    });
    this.#set({ kind: 'open', session });
  }

  #fail(): void {
    // While the service accepts the former token, the session goes on with it.
    if (this.#state.kind !== 'open' || this.#state.session.client.state === 'closed') this.#drop('failed');
    this.#renewIn(Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** this.#failures));
    this.#failures += 1;
  }

  #drop(kind: 'failed' | 'nobody'): void {
    const former = this.#state;
    this.#set({ kind });
    if (former.kind === 'open') former.session.client.close();
  }

  #renewIn(delayMs: number): void {
    this.#timer?.cancel();
    this.#timer = this.#options.clock.setTimer(() => void this.renew(), delayMs);
  }

  #set(state: WidgetState<Opened>): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
