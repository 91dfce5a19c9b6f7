// Programs whose id is the address of a document about themselves (Client ID Metadata Documents, MCPS-12).
import { msSince } from '@parley/protocol/dates';
import type { Clock } from '../../core/clock.ts';
import { boundedFetch } from '../../outbound/bounded-fetch.ts';
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts';
import { isObject } from '../../rules/json-values.ts';
import { type Program, programIn } from './program-metadata.ts';

/** Maximum length of an address that is an id. */
const MAX_ADDRESS = 512;
/** Maximum bytes of a document. */
const MAX_BYTES = 8_192;
/** How long a server may take to send its document. */
const FETCH_MS = 5_000;
/** How long a document, or that there is none, is remembered. */
const KEPT_MS = 600_000;
const FAILURE_KEPT_MS = 10_000;
/** Maximum number of addresses that are remembered; further ones replace the oldest. */
const MAX_KEPT = 200;

interface Kept {
  at: number;
  program: Promise<Program | null>;
}

/** Fetches such documents, each once in a while. */
export class ProgramDocuments {
  readonly #guarded: Pick<GuardedFetch, 'check' | 'fetch'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #kept = new Map<string, Kept>();

  constructor(guarded: Pick<GuardedFetch, 'check' | 'fetch'>, clock: Pick<Clock, 'monotonic'>) {
    this.#guarded = guarded;
    this.#clock = clock;
  }

  /** The program with this address; null if it is none that may be fetched, or has no right document. */
  async find(address: string): Promise<Program | null> {
    if (!this.#isAddress(address)) return null;
    const now = this.#clock.monotonic();
    const known = this.#kept.get(address);
    if (known && msSince(known.at, now) < KEPT_MS) return known.program;
    const kept = { at: now, program: this.#fetch(address).catch(() => null) };
    this.#kept.delete(address);
    this.#kept.set(address, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    const program = await kept.program;
    if (!program) kept.at = now - KEPT_MS + FAILURE_KEPT_MS;
    return program;
  }

  #isAddress(address: string): boolean {
    const url = address.length > MAX_ADDRESS ? null : URL.parse(address);
    // What is no address in its normal form could be shown as another one.
    if (!url || url.href !== address || url.hash !== '' || url.pathname === '/') return false;
    if (url.username !== '' || url.password !== '') return false;
    try {
      this.#guarded.check(url);
      return true;
    } catch {
      return false;
    }
  }

  async #fetch(address: string): Promise<Program | null> {
    const fetch = boundedFetch(this.#guarded.fetch, { signal: AbortSignal.timeout(FETCH_MS), maxBytes: MAX_BYTES });
    const response = await fetch(address, { headers: { accept: 'application/json' } });
    const isJson = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(response.headers.get('content-type') ?? '');
    if (response.status !== 200 || !isJson) return null;
    const document: unknown = await response.json();
    return isObject(document) && document['client_id'] === address ? programIn(document) : null;
  }
}
