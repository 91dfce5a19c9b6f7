import type { Message } from '@parley/protocol';
import type { ServiceProcess } from '../crash/service-process.ts';
import type { FakeProviders } from '../providers/fake-providers.ts';
import { Actor } from '../world/actor.ts';
import { DaemonStream } from '../world/daemon-stream.ts';
import type { Recorder } from './recorder.ts';

const AGENT = 'alice:provider_a';
const PIECES = 6;

interface Place {
  service: ServiceProcess;
  recorder: Recorder;
  people: [alice: Actor, bob: Actor, carol: Actor];
  bot: Actor;
  chatId: string;
  /** The last `client_msg_id`. */
  lastId: number;
}

/** Three people, an agent and a bot in one group. */
export async function settle(service: ServiceProcess, recorder: Recorder, providers: FakeProviders): Promise<Place> {
  const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => new Actor(service, name, `dev:${name}`)) as [
    Actor,
    Actor,
    Actor,
  ]; // three names, three people
  for (const actor of [alice, bob, carol]) await actor.api.getMe();
  const created = await alice.api.createBot({ slug: 'daemon', display_name: 'Daemon' });
  const bot = new Actor(service, created.bot.username, created.token);
  await alice.api.setAgentKey({ provider: 'provider_a', api_key: 'key' });
  providers.script('key', { chunks: ['It ', 'is ', 'so.'] });
  const { id: chatId } = await alice.api.startChat({ usernames: ['bob', 'carol'], title: 'a group' });
  for (const agent_username of [AGENT, bot.username])
    await alice.api.addGroupAgent({ chat_id: chatId, agent_username });
  return { service, recorder, people: [alice, bob, carol], bot, chatId, lastId: 0 };
}

/** People write, edit, delete, read and ask the agent, and the bot streams replies, until `count` messages are sent. */
export async function runLoad(place: Place, count: number): Promise<void> {
  const [alice, bob, carol] = place.people;
  const sockets = [await bob.socket(''), await carol.socket('ext,nodrafts')];
  const load = new Load(place, count);
  await Promise.all([
    ...[alice, alice, bob, bob, carol, carol].map((actor) => load.write(actor)),
    load.look(bob),
    load.look(carol),
    load.stream(),
  ]);
  for (const socket of sockets) await socket.close();
}

class Load {
  readonly #place: Place;
  #left: number;

  constructor(place: Place, count: number) {
    this.#place = place;
    this.#left = count;
  }

  async write(actor: Actor): Promise<void> {
    const { recorder, chatId } = this.#place;
    const { api, username: by } = actor;
    const own: Message[] = [];
    for (let number = 1; this.#left > 0; number += 1) {
      this.#left -= 1;
      const id = this.#newId();
      const text = `${by} says ${id}${number % 20 === 0 ? ` @${AGENT}` : ''}`;
      own.push(await api.sendMessage({ chat_id: chatId, text, client_msg_id: id }));
      const [oldest, newest] = [own[0], own.at(-1)];
      if (newest && number % 3 === 0) await api.editMessage({ message_id: newest.id, text: `${text}, edited` });
      if (newest && number % 4 === 0) {
        await api.markRead({ chat_id: chatId, message_id: newest.id });
        recorder.note({ by, read: { chatId, position: newest.position } });
      }
      if (oldest && number % 10 === 0) {
        own.shift();
        await api.deleteMessages({ message_ids: [oldest.id] });
        recorder.note({ by, deleted: oldest.id });
      }
    }
  }

  /** Reads what is new, and the newest page of everything else. */
  async look({ api }: Actor): Promise<void> {
    let { head } = await api.getUpdates({ since: 0, limit: 1 });
    while (this.#left > 0) {
      ({ head } = await api.getUpdates({ since: head }));
      await api.getChatHistory({ chat_id: this.#place.chatId, limit: 5 });
      await api.getChats({ limit: 1 });
      await api.searchMessages({ query: 'says', limit: 5 });
    }
  }

  async stream(): Promise<void> {
    const { bot, chatId } = this.#place;
    while (this.#left > 0) {
      const reply = new DaemonStream(
        bot.api,
        await bot.api.startMessageStream({ chat_id: chatId, client_msg_id: this.#newId() }),
      );
      for (let piece = 0; piece < PIECES; piece += 1) await reply.append(`piece ${piece} ñ🙂 `);
      await reply.finish();
    }
  }

  #newId(): string {
    this.#place.lastId += 1;
    return String(this.#place.lastId);
  }
}
