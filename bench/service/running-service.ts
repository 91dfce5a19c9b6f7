import { startChild } from '../processes/child.ts';
import type { Child } from '../processes/child.ts';
import { HttpPool } from './http-pool.ts';
import { textAt } from './reply-fields.ts';

export const devToken = (name: string): string => `dev:${name}`;

export interface Bot {
  username: string;
  token: string;
}

export interface StartOptions {
  /** The benchmark can request garbage collections. */
  collectable?: boolean;
  /** Default: any that is free. */
  port?: number;
  /** Further settings of the service. */
  env?: Record<string, string>;
  /** Notes the points of units (`--trace`), in this folder. */
  traceDir?: string | undefined;
}

/** The service as a child process, with calls to set up a benchmark. */
export class RunningService {
  readonly child: Child;
  readonly #http: HttpPool;
  readonly #known = new Set<string>();

  private constructor(child: Child) {
    this.child = child;
    this.#http = new HttpPool(child.url);
  }

  static async start(entry: string, dataDir: string, options: StartOptions = {}): Promise<RunningService> {
    const child = await startChild({
      entry,
      // A `.env` file in the caller's directory must not apply.
      cwd: dataDir,
      env: {
        HOST: '127.0.0.1',
        PORT: String(options.port ?? 0),
        DATA_DIR: dataDir,
        RATE_LIMITS: '0',
        MAX_UNKNOWN_CONNECTIONS: '100000',
        LOG_LEVEL: 'info',
        ...options.env,
      },
      collectable: options.collectable ?? false,
      traceDir: options.traceDir,
    });
    return new RunningService(child);
  }

  get url(): string {
    return this.child.url;
  }

  call(operation: string, token: string, input: object): Promise<unknown> {
    return this.#http.call(operation, token, input);
  }

  /** Runs one call for each item, many at the same time. */
  callForAll<Item, Result>(items: readonly Item[], one: (item: Item) => Promise<Result>): Promise<Result[]> {
    return this.#http.callForAll(items, one);
  }

  /** Accounts `m0`, `m1`, …, created by their first call if they do not exist. */
  async people(count: number, prefix = 'm'): Promise<string[]> {
    const names = Array.from({ length: count }, (_, index) => `${prefix}${index}`);
    const fresh = names.filter((name) => !this.#known.has(name));
    await this.#http.callForAll(fresh, (name) => this.call('getMe', devToken(name), {}));
    for (const name of fresh) this.#known.add(name);
    return names;
  }

  /** A group owned by the first account. */
  async group(title: string, [owner = '', ...others]: readonly string[]): Promise<string> {
    const chat = await this.call('startChat', devToken(owner), { usernames: others, title });
    return textAt(chat, 'id');
  }

  groups(rooms: readonly (readonly string[])[]): Promise<string[]> {
    return this.#http.callForAll(rooms, (names) => this.group('A room', names));
  }

  /** Bots of `owner` in the owner's group; they answer only when mentioned. */
  bots(owner: string, chatId: string, count: number): Promise<Bot[]> {
    const slugs = Array.from({ length: count }, (_, index) => `bot${index}_${chatId.slice(-6)}`);
    return this.#http.callForAll(slugs, async (slug) => {
      const made = await this.call('createBot', devToken(owner), { slug, display_name: slug });
      const username = textAt(made, 'bot', 'username');
      await this.call('addGroupAgent', devToken(owner), { chat_id: chatId, agent_username: username });
      return { username, token: textAt(made, 'token') };
    });
  }

  /** Open streams, `count` for each bot. */
  async streams(chatId: string, bots: readonly Bot[], count: number): Promise<string[][]> {
    const starts = bots.flatMap((bot) => Array.from({ length: count }, () => bot));
    const ids = await this.#http.callForAll(starts, async ({ token }) =>
      textAt(await this.call('startMessageStream', token, { chat_id: chatId }), 'id'),
    );
    return bots.map((_, index) => ids.slice(index * count, (index + 1) * count));
  }

  async finishStreams(bots: readonly Bot[], streams: readonly (readonly string[])[]): Promise<void> {
    const open = bots.flatMap((bot, index) => (streams[index] ?? []).map((id) => ({ id, token: bot.token })));
    await this.#http.callForAll(open, ({ id, token }) => this.call('finishMessageStream', token, { message_id: id }));
  }

  /** A gauge of `/metrics`; undefined if the service has none with that name. */
  async gauge(name: string): Promise<number | undefined> {
    const response = await fetch(`${this.url}/metrics`, { signal: AbortSignal.timeout(10_000) });
    const value = new RegExp(`^${name}(?:\\{[^}]*\\})? +([-+0-9.eE]+)`, 'm').exec(await response.text())?.[1];
    return value === undefined ? undefined : Number(value);
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): Promise<void> {
    this.#http.close();
    await this.child.stop(signal);
  }
}
