// The service under test: started as users start it, set up through its public API only.
import { HttpConnection } from '../load/http-connection.ts';

const connectionsAtMost = 8;
const requestsAtOnce = 256;

/** Concurrent calls of the public API over a few keep-alive connections, to set up quickly. */
export class HttpPool {
  readonly #url: string;
  #connections: HttpConnection[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  /** The result of one operation; an error names the refused operation and the reason. */
  async call(operation: string, token: string, input: object): Promise<unknown> {
    const reply = await this.#leastBusy().post(`/api/${operation}`, token, JSON.stringify(input));
    const text = reply.body.toString();
    if (reply.status !== 200) throw new Error(`${operation} answered ${reply.status}: ${text.slice(0, 300)}`);
    const { result }: { ok: true; result?: unknown } = JSON.parse(text);
    return result;
  }

  async callForAll<Item, Result>(items: readonly Item[], one: (item: Item) => Promise<Result>): Promise<Result[]> {
    const results: Result[] = [];
    for (let from = 0; from < items.length; from += requestsAtOnce) {
      results.push(...(await Promise.all(items.slice(from, from + requestsAtOnce).map(one))));
    }
    return results;
  }

  #leastBusy(): HttpConnection {
    for (const connection of this.#connections) if (connection.isStale) connection.close();
    this.#connections = this.#connections.filter((connection) => !connection.isStale);
    const least = this.#connections.toSorted((a, b) => a.unanswered - b.unanswered)[0];
    if (least !== undefined && (least.unanswered === 0 || this.#connections.length === connectionsAtMost)) return least;
    const opened = new HttpConnection(this.#url);
    this.#connections.push(opened);
    return opened;
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }
}
