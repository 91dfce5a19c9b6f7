import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

interface Pair {
  client: Socket;
  node: Socket;
  target: string;
}

/**
 * A balancer in front of several nodes, on loopback: plain TCP, each connection to the next reachable node in turn.
 * Clients know only its address.
 */
export class Balancer implements AsyncDisposable {
  /** Chooses one of the available nodes; in turn unless a test overrides it. */
  choose = (targets: readonly string[]): string | undefined => targets[(this.#turn += 1) % targets.length];
  #turn = -1;
  #targets: readonly string[] = [];
  readonly #out = new Set<string>();
  #isAccepting = true;
  readonly #pairs = new Set<Pair>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#accept(client));
  }

  static async start(): Promise<Balancer> {
    const balancer = new Balancer();
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo; // it listens on TCP
    return `http://127.0.0.1:${port}`;
  }

  /** Number of connections to all nodes, or to one. */
  connections(target?: string): number {
    return this.#pairsOf(target).length;
  }

  /** Sets the addresses of the nodes; all of them receive connections. */
  serve(targets: readonly string[]): void {
    this.#targets = targets;
    this.#out.clear();
  }

  /** Stops new connections to this node; existing ones stay open. */
  takeOut(target: string): void {
    this.#out.add(target);
  }

  putIn(target: string): void {
    this.#out.delete(target);
  }

  /** Resets the connections to this node, or all. */
  cut(target?: string): void {
    for (const pair of this.#pairsOf(target)) this.#end(pair);
  }

  /** False: refuses all new connections. */
  accept(isAccepting: boolean): void {
    this.#isAccepting = isAccepting;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #pairsOf(target?: string): Pair[] {
    return [...this.#pairs].filter((pair) => target === undefined || pair.target === target);
  }

  #accept(client: Socket): void {
    client.on('error', () => client.destroy());
    this.#connect(client, this.#isAccepting ? this.#targets.filter((target) => !this.#out.has(target)) : []);
  }

  /** Connects to the chosen node, or to another one if that is unreachable. */
  #connect(client: Socket, targets: readonly string[]): void {
    const target = targets.length > 0 ? this.choose(targets) : undefined;
    if (target === undefined) return void client.resetAndDestroy();
    const { hostname, port } = new URL(target);
    const node = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
    const pair = { client, node, target };
    const refused = (): void => {
      this.#pairs.delete(pair);
      this.#connect(
        client,
        targets.filter((other) => other !== target),
      );
    };
    this.#pairs.add(pair);
    node.once('error', refused);
    node.once('connect', () => {
      node.off('error', refused);
      node.on('error', () => this.#end(pair));
      client.on('error', () => this.#end(pair));
      for (const socket of [client, node])
        socket.once('close', (hadError) => (hadError || !socket.readableEnded ? this.#end(pair) : this.#leave(pair)));
      client.pipe(node);
      node.pipe(client);
    });
    return undefined;
  }

  /** Ends a pair once both sides have finished. */
  #leave(pair: Pair): void {
    if (pair.client.destroyed && pair.node.destroyed) this.#pairs.delete(pair);
  }

  #end(pair: Pair): void {
    if (!this.#pairs.delete(pair)) return;
    for (const socket of [pair.client, pair.node]) socket.resetAndDestroy();
  }
}
