import type { TimelineKey } from './client.ts';
import type { Connection } from './connection.ts';

/** The timeline that the user looks at, for a socket with the cap `focus`. */
export class Focus {
  readonly #connection: Connection;
  readonly #isSent: boolean;
  #timeline: TimelineKey | null = null;

  constructor(connection: Connection, caps: readonly string[]) {
    this.#connection = connection;
    this.#isSent = caps.includes('focus');
  }

  set(timeline: TimelineKey | null): void {
    this.#timeline = timeline && { ...timeline };
    if (this.#isSent) this.ask({ focus: this.#timeline });
  }

  /** A new socket has no focus yet. */
  reconnected(): void {
    if (this.#timeline) this.set(this.#timeline);
  }

  /** Sets the focus of the socket, or asks for the whole texts of open replies. */
  ask(params: { focus: TimelineKey | null } | { snapshots: string[] }): void {
    const { socketId } = this.#connection;
    // The focused timeline may be invisible to the account, or the socket may close; the next socket sets the focus
    // again.
    if (socketId !== null) this.#connection.request('wsFocus', { socket: socketId, ...params }).catch(() => {});
  }
}
