import type { Awaitable } from './store/sql.ts';

/** The writes of one socket: they take effect in the order in which they came, also behind a `prepare` (SOCKET-4). */
export class WriteOrder {
  /** What a write has to wait for; null as a rule. */
  pending: Promise<void> | null = null;

  /** Prepares at once, and writes behind everything that came before. `write` hands over at its call. */
  async run<Prepared>(
    prepare: () => Awaitable<Prepared>,
    write: (prepared: Prepared) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    const before = this.pending;
    const post = async () => {
      const prepared = await prepare();
      await before;
      return { written: write(prepared) };
    };
    const posted = post();
    const pending = posted.then(
      () => {},
      () => {},
    );
    this.pending = pending;
    void pending.then(() => {
      if (this.pending === pending) this.pending = null;
    });
    return (await posted).written;
  }
}
