import { dateBefore } from '@parley/protocol/dates';
import { hash } from 'node:crypto';
import type { LinkPreview } from '@parley/protocol';
import type { PreviewRequest } from '../commits/effects.ts';
import type { Clock } from '../core/clock.ts';
import type { Fetch } from '../outbound/guarded-fetch.ts';
import { keptPreview } from '../store/link-previews.ts';
import type { Sql } from '../store/sql.ts';
import type { PageBeginning, PageReading } from '../rules/page-text.ts';
import { fetchPage } from './fetch-page.ts';

/** How long a page may take, redirects included. */
const PATIENCE_MS = 5_000;
/** How long what was read of a page is used again. */
export const KEPT_MS = 86_400_000;
/** Maximum requests: that run at once, that wait, and of one person. */
const AT_ONCE = 8;
const WAITING = 256;
const OF_ONE_PERSON = 8;
/** Number of places in the table of previews. */
const PLACES = 16_384;

/** What was read of a link, as it is kept. */
export interface KeptPage {
  place: number;
  digest: Uint8Array;
  preview: LinkPreview | null;
}

interface PreviewNeeds {
  clock: Clock;
  read: Sql;
  fetch: Fetch;
  /** Reads a page; null if that takes too much time or memory. */
  readPage: (page: PageBeginning, ownerKey: number) => Promise<PageReading | null>;
  keep: (page: KeptPage) => Promise<unknown>;
  attach: (request: PreviewRequest, preview: LinkPreview) => Promise<unknown>;
  /** Faults of the service itself, for the log. */
  onFault: (error: unknown) => void;
}

/** Reads the pages behind links of new messages, beside everything else: no message waits for its preview (LINK-1). */
export class LinkPreviews {
  readonly #needs: PreviewNeeds;
  readonly #waiting: PreviewRequest[] = [];
  readonly #running = new Map<PreviewRequest, Promise<void>>();
  /** Pages that are being fetched, by URL: each is fetched once, however many messages link to it. */
  readonly #fetches = new Map<string, Promise<LinkPreview | null>>();
  readonly #stop = new AbortController();

  constructor(needs: PreviewNeeds) {
    this.#needs = needs;
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /** Makes the preview of a message; leaves it out if too many are being made (LINK-6). */
  make(request: PreviewRequest): void {
    const own = [...this.#running.keys(), ...this.#waiting].filter(({ ownerKey }) => ownerKey === request.ownerKey);
    if (this.#stop.signal.aborted || own.length >= OF_ONE_PERSON || this.#waiting.length >= WAITING) return;
    this.#waiting.push(request);
    this.#pump();
  }

  /** Ends all requests; previews that are not made yet are lost. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#waiting.length = 0;
    await Promise.all(this.#running.values());
  }

  #pump(): void {
    while (this.#running.size < AT_ONCE) {
      const request = this.#waiting.shift();
      if (!request) return;
      const run = this.#make(request)
        .catch((error: unknown) => this.#stop.signal.aborted || this.#needs.onFault(error))
        .then(() => {
          this.#running.delete(request);
          this.#pump();
        });
      this.#running.set(request, run);
    }
  }

  async #make(request: PreviewRequest): Promise<void> {
    const preview = await this.#previewOf(request);
    if (preview && !this.#stop.signal.aborted) await this.#needs.attach(request, preview);
  }

  #previewOf({ url, ownerKey }: PreviewRequest): Promise<LinkPreview | null> {
    const running = this.#fetches.get(url);
    if (running) return running;
    const fetch = this.#read(url, ownerKey).finally(() => this.#fetches.delete(url));
    this.#fetches.set(url, fetch);
    return fetch;
  }

  async #read(url: string, ownerKey: number): Promise<LinkPreview | null> {
    const { clock, read, keep } = this.#needs;
    const digest = hash('sha256', url, 'buffer');
    const place = digest.readUInt32BE() % PLACES;
    const kept = await read.get(keptPreview, place, digest, dateBefore(clock.now(), KEPT_MS));
    // As it was kept.
    if (kept) return kept.value === null ? null : (JSON.parse(kept.value) as LinkPreview);
    const preview = await this.#fetch(url, ownerKey);
    if (!this.#stop.signal.aborted) await keep({ place, digest, preview });
    return preview;
  }

  /** A page that cannot be read, for whatever reason, has no preview. */
  async #fetch(url: string, ownerKey: number): Promise<LinkPreview | null> {
    const tooLong = new AbortController();
    const timer = this.#needs.clock.setTimer(() => tooLong.abort(), PATIENCE_MS);
    try {
      return await fetchPage(this.#needs.fetch, url, {
        signal: AbortSignal.any([this.#stop.signal, tooLong.signal]),
        read: (page) => this.#needs.readPage(page, ownerKey),
      });
    } catch {
      return null;
    } finally {
      timer.cancel();
    }
  }
}
