import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../core/clock.ts';
import { addressBlock } from '../calls/rate-limits.ts';

/** How long a connection beyond the limit may take to authenticate, so that a client can open many at once. */
const GRACE_MS = 250;
/** Maximum number of an address's connections above its limit within that time, as a multiple of the limit. */
const GRACE_FACTOR = 4;

interface ConnectionLimits {
  clock: Clock;
  /** Maximum number of unauthenticated connections per address. */
  maxPerAddress: number;
  /** A trusted proxy's connections are exempt: they carry the requests of many clients. */
  isProxy: (address: string) => boolean;
}

/** Counts the unauthenticated connections of each address and closes those beyond the limit (LIMIT-21). */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #unknown = new Map<string, Set<Duplex>>();
  /** The address that each unauthenticated connection counts against. */
  readonly #addresses = new WeakMap<Duplex, string>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  watch(server: Server): void {
    server.on('connection', (socket) => this.#opened(socket));
  }

  /** Stops counting a connection, because it has sent a valid token or has closed. */
  authenticated(connection: Duplex): void {
    const address = this.#addresses.get(connection);
    if (address === undefined) return;
    this.#addresses.delete(connection);
    const others = this.#unknown.get(address);
    others?.delete(connection);
    if (others?.size === 0) this.#unknown.delete(address);
  }

  #opened(socket: Socket): void {
    const { clock, maxPerAddress, isProxy } = this.#limits;
    const { remoteAddress } = socket;
    // The client reset the connection before it was accepted.
    if (remoteAddress === undefined) return void socket.destroy();
    if (isProxy(remoteAddress)) return;
    const address = addressBlock(remoteAddress);
    const unknown = this.#unknown.get(address) ?? new Set();
    if (unknown.size >= maxPerAddress * (1 + GRACE_FACTOR)) return void socket.destroy();
    const isBeyond = unknown.size >= maxPerAddress;
    this.#unknown.set(address, unknown.add(socket));
    this.#addresses.set(socket, address);
    const timer = isBeyond
      ? clock.setTimer(() => {
          if (unknown.has(socket) && unknown.size > maxPerAddress) socket.destroy();
        }, GRACE_MS)
      : null;
    socket.once('close', () => {
      timer?.cancel();
      this.authenticated(socket);
    });
  }
}
