import { createClient } from '@parley/client';
import { createStore } from '@parley/client/store';
import { PlayedService } from '@parley/testing/sdk/played-service.ts';
import { settled } from '@parley/testing/sdk/fake-service.ts';
import { Random } from '@parley/testing/simulation/random.ts';
import { expect, test } from 'vitest';

const SEEDS = Number(process.env['SEEDS'] ?? 150);
const STEPS = 60;

/** What happens next, and how often. */
const steps = {
  serve: 12, deliver: 12, push: 8, advance: 4, cut: 1, trim: 1,
  otherStarts: 2, otherRemoves: 1, otherWrites: 5, otherDeletes: 2, otherMutes: 2, otherDrafts: 2, otherFolders: 1,
  start: 3, mute: 2, write: 3, folders: 1, hide: 2, show: 3, jump: 1, fetch: 1, more: 1,
} as const; // prettier-ignore

/** Plays one order of loads, answers, changes and events; then everything is answered, and the store is compared. */
async function play(seed: number): Promise<void> {
  const random = new Random(seed);
  const service = new PlayedService();
  for (let chats = random.below(8); chats > 0; chats -= 1) service.addMessage(service.addChat());
  const client = createClient({ ...service.options, caps: ['ext'] });
  const store = createStore(client, { clock: service.clock });
  const ends: (() => void)[] = [];
  const ignore = (work: Promise<unknown>): void => void work.catch(() => undefined);
  const history: string[] = [];
  const anyChat = () => random.pick([...service.chats.values()]);
  const shown = new Set<string>();
  /** The app's own call; its answer is put into the store. */
  const call = <Answer>(work: Promise<Answer>, put: (answer: Answer) => void): void => ignore(work.then(put));
  const acts: Record<keyof typeof steps, () => unknown> = {
    serve: () => {
      const waiting = random.pick(service.requests.filter(({ answer }) => !answer));
      if (waiting) service.serve(waiting);
      return waiting?.name;
    },
    deliver: () => {
      const served = random.pick(service.requests.filter(({ answer }) => answer));
      if (served) service.deliver(served);
      return served?.name;
    },
    push: () => service.push(),
    advance: async () => service.clock.advance(random.below(700)),
    cut: () => {
      // Nothing tells a client of a hidden message if the answer is lost.
      const hides = service.requests.some(({ name, answer }) => name === 'deleteMessagesForMe' && answer);
      if (!hides) service.cut();
    },
    trim: () => service.trim(),
    otherStarts: () => service.addChat().id,
    otherRemoves: () => {
      const chat = anyChat();
      if (!chat) return undefined;
      service.chats.delete(chat.id);
      service.emit('conversationRemoved', { conversation_id: chat.id });
      return chat.id;
    },
    otherWrites: () => {
      const chat = anyChat();
      if (chat) service.addMessage(chat);
      return chat?.id;
    },
    otherDeletes: () => {
      const chat = anyChat();
      const message = random.pick(chat?.messages ?? []);
      if (!chat || !message) return undefined;
      chat.messages.splice(chat.messages.indexOf(message), 1);
      service.emit('messageDeleted', { conversation_id: chat.id, ids: [message.id] });
      return message.id;
    },
    otherMutes: () => {
      const chat = anyChat();
      if (chat) service.mute(chat, random.below(2) === 0);
      return chat?.id;
    },
    otherDrafts: () => {
      const chat = anyChat();
      if (chat) service.setDraft(chat.id, random.below(3) === 0 ? '' : service.next('other draft'), 'elsewhere');
      return chat?.id;
    },
    otherFolders: () => service.setFolders([service.next('folder')]),
    start: () => call(client.call('startChat', { username: 'bob' }), (chat) => store.putChat(chat)),
    mute: () => {
      const chat = anyChat();
      if (!chat) return undefined;
      const is_muted = random.below(2) === 0;
      call(client.call('setChatNotifications', { chat_id: chat.id, is_muted }), (answer) => store.putChat(answer));
      return chat.id;
    },
    write: () => {
      const id = random.pick(store.chats.get().ids);
      if (id !== undefined) store.saveDraft({ chat_id: id }, service.next('draft'));
      return id;
    },
    folders: () => {
      // An app does not send two lists at once.
      if (service.requests.some(({ name }) => name === 'setFolders')) return;
      // The played service knows folders by their titles.
      const params = { titles: [service.next('folder')] } as unknown as Parameters<typeof client.api.setFolders>[0];
      call(client.call('setFolders', params), ({ items }) => store.putFolders(items));
    },
    hide: () => {
      const message = random.pick(anyChat()?.messages ?? []);
      // A reader hides what they see. While missed events are fetched, one of them may still bring the message.
      if (client.state !== 'live' || !message || !store.message(message.id).get()) return undefined;
      ignore(store.hide([message.id]));
      return message.id;
    },
    show: () => {
      const chat = anyChat();
      if (!chat || shown.has(chat.id)) return undefined;
      shown.add(chat.id);
      ends.push(store.timeline({ chat_id: chat.id }).subscribe(() => {}));
      return chat.id;
    },
    jump: () => {
      const chat = anyChat();
      if (chat) ignore(store.timeline({ chat_id: chat.id }).jumpToNewest());
      return chat?.id;
    },
    fetch: () => {
      const message = random.pick(anyChat()?.messages ?? []);
      if (message) ignore(store.loadMessages([message.id]));
      return message?.id;
    },
    more: () => ignore(store.loadMoreChats()),
  };
  const step = async (name: keyof typeof steps): Promise<void> => {
    service.receive();
    const what = await acts[name]();
    if (what !== undefined && what !== false) history.push(`${name} ${JSON.stringify(what)}`);
    await settled();
  };
  try {
    for (let done = 0; done < STEPS; done += 1) await step(random.weighted(steps));
    // Everything is answered, in any order, until nothing is left to do.
    for (let quiet = 0; quiet < 10;) {
      service.receive();
      const isBusy = service.requests.length > 0;
      const hasPushed = service.push();
      await step('serve');
      await step('deliver');
      if (!isBusy && !hasPushed) await service.clock.advance(1_000);
      quiet = isBusy || hasPushed || client.state !== 'live' ? 0 : quiet + 1;
    }
    compare();
  } catch (error) {
    throw new Error(`play(${seed}) failed: ${String(error)}\nafter:\n${history.join('\n')}`, { cause: error });
  } finally {
    for (const end of ends) end();
    store.close();
    client.close();
  }

  function compare(): void {
    expect(client.state).toBe('live');
    const chats = [...service.chats.values()];
    const known = store.chats.get().ids.map((id) => store.chat(id).get());
    const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
    expect(
      known.flatMap((chat) => (chat ? [{ id: chat.id, is_muted: chat.is_muted }] : [])).toSorted(byId),
      'conversations',
    ).toEqual(chats.map(({ id, is_muted }) => ({ id, is_muted })).toSorted(byId));
    expect(store.folders.get(), 'folders').toEqual(service.folders);
    for (const { id, messages } of chats) {
      const visible = messages.filter((message) => !service.hidden.has(message.id)).map((message) => message.id);
      expect(store.draft({ chat_id: id }).get()?.text ?? '', `draft of ${id}`).toBe(service.drafts.get(id)?.text ?? '');
      const lastId = store.chat(id).get()?.last_message_id ?? null;
      expect(lastId, `last message of ${id}`).toBe(visible.at(-1) ?? null);
      if (!shown.has(id)) continue;
      const timeline = store.timeline({ chat_id: id }).get();
      expect([timeline.isLoaded, timeline.ids], `messages of ${id}`).toEqual([true, visible]);
    }
  }
}

test('SDK-44: whatever arrives or is put while a store loads, in any order, is in it when everything is answered', async () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) await play(seed);
}, 120_000);
