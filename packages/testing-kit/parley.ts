import { type Api, type Client, type ClientOptions, createApi, createClient } from '@parley/client';
import type { ThrowawayService } from './throwaway.ts';

/** A person or a bot of the service. */
export interface TestAccount {
  readonly username: string;
  readonly token: string;
  /** Every operation, as this account. */
  readonly api: Api;
  /** A connection that `stop` closes. */
  connect(options?: Omit<ClientOptions, 'url' | 'token'>): Client;
}

/** A running service, with which `await using` stops. */
export class Parley implements AsyncDisposable {
  readonly url: string;
  readonly #service: ThrowawayService;
  readonly #clients: Client[] = [];

  constructor(service: ThrowawayService) {
    this.url = service.url;
    this.#service = service;
  }

  /** The person of this username, who is created with the first use. */
  user(username: string): TestAccount {
    return this.#account(username, `dev:${username}`);
  }

  /** Creates a bot, `owner:slug`. Anyone may start a chat with it. */
  async createBot(username: string): Promise<TestAccount> {
    const [owner = '', slug = ''] = username.split(':');
    const { token } = await this.user(owner).api.createBot({ slug, display_name: slug, is_public: true });
    return this.#account(username, token);
  }

  /** Creates a group; its first member owns it. Bots are added by their owners, who are members. Resolves to its id. */
  async createGroup(title: string, usernames: readonly string[]): Promise<string> {
    const [owner = '', ...others] = usernames.filter((name) => !name.includes(':'));
    // An account exists once its token has been used.
    for (const name of others) await this.user(name).api.getMe();
    const { id } = await this.user(owner).api.startChat({ usernames: others, title });
    for (const agent_username of usernames.filter((name) => name.includes(':'))) {
      const [botOwner = ''] = agent_username.split(':');
      await this.user(botOwner).api.addGroupAgent({ chat_id: id, agent_username });
    }
    return id;
  }

  /** Closes all connections, ends the service and removes its data. */
  async stop(): Promise<void> {
    for (const client of this.#clients.splice(0)) client.close();
    await this.#service.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #account(username: string, token: string): TestAccount {
    const { url } = this;
    return {
      username,
      token,
      api: createApi({ url, token }),
      connect: (options) => {
        const client = createClient({ ...options, url, token });
        this.#clients.push(client);
        return client;
      },
    };
  }
}
