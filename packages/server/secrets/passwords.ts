import { argon2, type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { unavailable } from '../core/errors.ts';

/** What one password costs; `memory` in KiB. */
interface Cost {
  memory: number;
  passes: number;
}

/**
 * Of OWASP's equal parameters for argon2id those with the most memory: blocks beyond 32 MiB go back to the system at
 * once, while smaller ones stay with the allocator, once for each thread (120 MB in all, with 19 MiB and two passes).
 */
const defaultCost: Cost = { memory: 46 * 1024, passes: 1 };

export type Derive = (parameters: Argon2Parameters) => Promise<Uint8Array>;

const HASH_BYTES = 32;
const SALT_BYTES = 16;

const deriveArgon2id: Derive = (parameters) =>
  new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, key) => (error ? reject(error) : resolve(key)));
  });

/** Strangers, who may flood; and those who have shown a session or the token of a known device (AUTH-19). */
export type PasswordQueue = 'strangers' | 'known';

/**
 * Hashes and checks passwords (AUTH-3) in the threads that Node has for such work, a few at once: however many people
 * sign in together, the memory is that of a few, and files and names still find a thread. Too many waiting answers 503.
 * Two queues wait for the threads and are served in turn: a flood of strangers does not delay known devices.
 */
export class Passwords {
  readonly #derive: Derive;
  readonly #cost: Cost;
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
    this.#cost = cost;
    this.#free = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  /** The form that is stored: algorithm, cost, salt and hash in one text. */
  async hash(password: string, queue: PasswordQueue = 'strangers'): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const key = await this.#run(password, salt, this.#cost, queue);
    const { memory, passes } = this.#cost;
    return `$argon2id$v=19$m=${memory},t=${passes},p=1$${toText(salt)}$${toText(key)}`;
  }

  /** `stored` is null where there is no such account or it has no password: false, after the same work (AUTH-2). */
  async verify(password: string, stored: string | null, queue: PasswordQueue = 'strangers'): Promise<boolean> {
    const known = stored === null ? null : parse(stored);
    const { salt, cost, key } = known ?? {
      salt: randomBytes(SALT_BYTES),
      cost: this.#cost,
      key: randomBytes(HASH_BYTES),
    };
    return timingSafeEqual(await this.#run(password, salt, cost, queue), key) && known !== null;
  }

  async #run(password: string, nonce: Uint8Array, { memory, passes }: Cost, queue: PasswordQueue): Promise<Uint8Array> {
    await this.#turn(queue);
    try {
      // The same letters typed on another system may come in another composition.
      const message = password.normalize('NFC');
      return await this.#derive({ message, nonce, parallelism: 1, tagLength: HASH_BYTES, memory, passes });
    } finally {
      // The next in the queues takes over the place; it is never free in between.
      const next = this.#next();
      if (next) next();
      else this.#free += 1;
    }
  }

  async #turn(queue: PasswordQueue): Promise<void> {
    const waiting = this.#waiting[queue];
    if (this.#free > 0) this.#free -= 1;
    else if (waiting.length >= this.#mostWaiting) throw unavailable('too many are signing in at once; try again');
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  #next(): (() => void) | undefined {
    const { strangers, known } = this.#waiting;
    const isKnownNext = known.length > 0 && (this.#servedLast === 'strangers' || strangers.length === 0);
    this.#servedLast = isKnownNext ? 'known' : 'strangers';
    return (isKnownNext ? known : strangers).shift();
  }
}

/** The process has one set of threads for this, hence one queue before them. */
export const passwords = new Passwords();

const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

function parse(stored: string): { salt: Uint8Array; cost: Cost; key: Uint8Array } {
  const [, memory, passes, salt, key] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w-]+)\$([\w-]+)$/.exec(stored) ?? [];
  if (salt === undefined || key === undefined) throw new Error('a stored password has an unknown form');
  return {
    salt: Buffer.from(salt, 'base64url'),
    cost: { memory: Number(memory), passes: Number(passes) },
    key: Buffer.from(key, 'base64url'),
  };
}
