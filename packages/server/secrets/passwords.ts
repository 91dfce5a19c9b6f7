import { argon2, type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { unavailable } from '../core/errors.ts';

/** The cost of hashing one password; `memory` is in KiB. */
interface Cost {
  memory: number;
  passes: number;
}

/**
 * Of the equivalent argon2id parameters that OWASP recommends, these use the most memory: blocks above 32 MiB are
 * returned to the system immediately, while smaller ones stay in each thread's allocator (120 MB in all with 19 MiB).
 */
const defaultCost: Cost = { memory: 46 * 1024, passes: 1 };

type Derive = (parameters: Argon2Parameters) => Promise<Uint8Array>;

const HASH_BYTES = 32;
const SALT_BYTES = 16;

const deriveArgon2id: Derive = (parameters) =>
  new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, key) => (error ? reject(error) : resolve(key)));
  });

/** Calls of `strangers` may be a flood; `known` callers have a session or the token of a known device (AUTH-19). */
type PasswordQueue = 'strangers' | 'known';

/**
 * Hashes and verifies passwords (AUTH-3) in Node's thread pool, a few at a time: concurrent sign-ins use limited memory
 * and leave threads for file and DNS work. A full queue answers 503. Two queues are served alternately, so that a flood
 * of strangers does not delay known devices.
 */
export class Passwords {
  readonly #derive: Derive;
  /** Cost of new hashes. Tests that are not about passwords lower it. */
  cost: Cost;
  readonly #mostWaiting: number;
  readonly #waiting: Readonly<Record<PasswordQueue, (() => void)[]>> = { strangers: [], known: [] };
  #servedLast: PasswordQueue = 'strangers';
  #free: number;

  constructor({
    derive = deriveArgon2id,
    cost = defaultCost,
    atOnce = 2,
    mostWaiting = 200,
  }: { derive?: Derive; cost?: Cost; atOnce?: number; mostWaiting?: number } = {}) {
    this.#derive = derive;
    this.cost = cost;
    this.#free = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  /** Returns the stored form: algorithm, cost, salt and hash in one text. */
  async hash(password: string, queue: PasswordQueue = 'strangers'): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const key = await this.#run(password, salt, this.cost, queue);
    const { memory, passes } = this.cost;
    return `$argon2id$v=19$m=${memory},t=${passes},p=1$${toText(salt)}$${toText(key)}`;
  }

  /** `stored` is null if the account is missing or has no password; returns false after the same work (AUTH-2). */
  async verify(password: string, stored: string | null, queue: PasswordQueue = 'strangers'): Promise<boolean> {
    const known = stored === null ? null : parse(stored);
    const { salt, cost, key } = known ?? {
      salt: randomBytes(SALT_BYTES),
      cost: this.cost,
      key: randomBytes(HASH_BYTES),
    };
    return timingSafeEqual(await this.#run(password, salt, cost, queue), key) && known !== null;
  }

  async #run(password: string, nonce: Uint8Array, { memory, passes }: Cost, queue: PasswordQueue): Promise<Uint8Array> {
    await this.#turn(queue);
    try {
      // Different systems type the same letters in different Unicode compositions.
      const message = password.normalize('NFC');
      return await this.#derive({ message, nonce, parallelism: 1, tagLength: HASH_BYTES, memory, passes });
    } finally {
      // The next waiting call takes over the slot, which is never free in between.
      const next = this.#next();
      if (next) next();
      else this.#free += 1;
    }
  }

  async #turn(queue: PasswordQueue): Promise<void> {
    const waiting = this.#waiting[queue];
    if (this.#free > 0) this.#free -= 1;
    else if (waiting.length >= this.#mostWaiting) throw unavailable('too many sign-ins at once; try again');
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  #next(): (() => void) | undefined {
    const { strangers, known } = this.#waiting;
    const isKnownNext = known.length > 0 && (this.#servedLast === 'strangers' || strangers.length === 0);
    this.#servedLast = isKnownNext ? 'known' : 'strangers';
    return (isKnownNext ? known : strangers).shift();
  }
}

/** Shared by the process, because the process has one thread pool. */
export const passwords = new Passwords();

const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

function parse(stored: string): { salt: Uint8Array; cost: Cost; key: Uint8Array } {
  const [, memory, passes, salt, key] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w-]+)\$([\w-]+)$/.exec(stored) ?? [];
  if (salt === undefined || key === undefined) throw new Error('a stored password has an unknown format');
  return {
    salt: Buffer.from(salt, 'base64url'),
    cost: { memory: Number(memory), passes: Number(passes) },
    key: Buffer.from(key, 'base64url'),
  };
}
