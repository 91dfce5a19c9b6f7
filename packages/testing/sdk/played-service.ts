// For tests: a small service that answers only when the test says so. A request is served at one step and its answer is
// delivered at a later one, so that every order of loads, changes, answers and events can be played.
import type { Network } from '@parley/client';
import { account, FakeSocket, StillClock } from './fake-service.ts';

type Params = Record<string, unknown>;

interface Request {
  name: string;
  params: Params;
  /** The socket that it came over; null for HTTP. */
  socket: FakeSocket | null;
  /** Set once it is served. */
  answer?: { body: Params } | undefined;
  deliver: (answer: Params | null) => void;
}

interface PlayedChat {
  id: string;
  is_muted: boolean;
  messages: { id: string; position: number; content: string }[];
}

interface LogEntry {
  method: string;
  params: Params;
}

const time = (at: number): string => new Date(Date.UTC(2026, 0, 1) + at * 1_000).toISOString();
/** Conversations per page. */
const PAGE = 3;

export class PlayedService {
  readonly clock = new StillClock();
  readonly chats = new Map<string, PlayedChat>();
  folders: { id: string; title: string }[] = [];
  readonly drafts = new Map<string, { text: string; updated_at: number }>();
  readonly hidden = new Set<string>();
  requests: Request[] = [];
  readonly #log: LogEntry[] = [];
  #logStart = 0;
  #count = 0;
  #socket: FakeSocket | null = null;
  /** The number of the last event that the socket was sent; null before its greeting. */
  #sent: number | null = null;
  /** The number of the last event that it received. */
  #reached = 0;

  get head(): number {
    return this.#log.length;
  }

  next(what: string): string {
    return `${what}-${String((this.#count += 1)).padStart(6, '0')}`;
  }

  emit(method: string, params: Params): void {
    this.#log.push({ method, params });
  }

  /** Events so far are no longer replayed. */
  trim(): void {
    this.#logStart = this.head;
  }

  /** Options for createClient. */
  get options() {
    const network: Network = { isOnline: true, subscribe: () => () => {} };
    const opened = (socket: FakeSocket): void => {
      this.#socket = socket;
      this.#sent = null;
    };
    return {
      url: 'http://service.example',
      token: 's_1',
      clock: this.clock,
      network,
      random: () => 0.5,
      WebSocket: class extends FakeSocket {
        constructor(url: string) {
          super(url);
          opened(this);
        }
      },
      fetch: async (input: string | URL | globalThis.Request, init?: RequestInit) => {
        const name = (typeof input === 'string' ? input : '').replace(/.*\//, '');
        const params = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as Params; // written by the client
        return new Promise<Response>((resolve, reject) => {
          this.requests.push({
            name,
            params,
            socket: null,
            deliver: (body) =>
              body
                ? resolve(new Response(JSON.stringify(body), { status: body['ok'] === true ? 200 : 404 }))
                : reject(new TypeError('no connection')),
          });
        });
      },
    };
  }

  /** Takes what the client has sent over its socket. */
  receive(): void {
    const socket = this.#socket;
    if (!socket || socket.isClosed) return;
    for (const { id, method, params } of socket.sent.splice(0))
      this.requests.push({
        name: method,
        params,
        socket,
        deliver: (body) => {
          if (body && !socket.isClosed) socket.receive({ id, ...body });
        },
      });
  }

  /** Greets the socket, or sends it the next event. Returns whether there was something to do. */
  push(): boolean {
    const socket = this.#socket;
    if (!socket || socket.isClosed) return false;
    if (this.#sent === null) {
      this.#sent = this.head;
      this.#reached = this.head;
      socket.hello(this.head, this.next('socket'));
      return true;
    }
    const event = this.#log[this.#sent];
    if (!event) return false;
    this.#sent += 1;
    if (this.#isHidden(event)) return true;
    socket.frame(this.#sent, this.#reached, event.method, event.params);
    this.#reached = this.#sent;
    return true;
  }

  /** A message that the account has hidden is in no event any more. */
  #isHidden({ method, params }: LogEntry): boolean {
    return method === 'messageNew' && this.hidden.has(String(params['id']));
  }

  /** Cuts the connection. Requests over it are never answered. */
  cut(): void {
    const socket = this.#socket;
    if (!socket || socket.isClosed) return;
    this.requests = this.requests.filter((request) => request.socket !== socket);
    socket.end(1006);
  }

  serve(request: Request): void {
    const body = this.#answer(request.name, request.params);
    request.answer = {
      body: structuredClone(
        body ? { ok: true, result: body } : { ok: false, error: { code: 'not_found', message: '' } },
      ),
    };
  }

  deliver(request: Request): void {
    this.requests.splice(this.requests.indexOf(request), 1);
    request.deliver(request.answer?.body ?? null);
  }

  /** A conversation as getChat answers it. */
  conversation({ id, is_muted, messages }: PlayedChat): Params {
    const last = messages.findLast((one) => !this.hidden.has(one.id));
    return {
      id,
      kind: 'group',
      title: id,
      description: null,
      participants: [],
      participant_count: 2,
      people_count: 2,
      channels: [],
      pinned_message_ids: [],
      needs_you: 0,
      open_decisions: [],
      is_muted,
      unread_count: 0,
      last_read_message_id: null,
      last_read_position: 1_000_000,
      last_message: last ? this.message(id, last) : null,
      created_at: time(0),
      updated_at: time(messages.at(-1)?.position ?? 0),
    };
  }

  message(chatId: string, { id, position, content }: PlayedChat['messages'][number]): Params {
    return {
      id,
      position,
      conversation_id: chatId,
      channel_id: null,
      thread_root_id: null,
      sender: account('bob'),
      content,
      attachments: [],
      reply_to_id: null,
      mentions: [],
      dispatch: [],
      reactions: [],
      created_at: time(position),
      content_revision: 1,
      status: 'complete',
    };
  }

  addChat(): PlayedChat {
    const chat = { id: this.next('chat'), is_muted: false, messages: [] };
    this.chats.set(chat.id, chat);
    this.emit('conversationNew', this.conversation(chat));
    return chat;
  }

  addMessage(chat: PlayedChat): void {
    this.#count += 1;
    const message = { id: `m${String(this.#count).padStart(6, '0')}`, position: this.#count, content: 'text' };
    chat.messages.push(message);
    this.emit('messageNew', this.message(chat.id, message));
  }

  setDraft(chatId: string, text: string, origin: string): void {
    const draft = { text, updated_at: (this.#count += 1) };
    this.drafts.set(chatId, draft);
    const place = { conversation_id: chatId, channel_id: null, thread_root_id: null };
    this.emit('draftUpdated', { ...place, ...draft, reply_to_id: null, origin });
  }

  mute(chat: PlayedChat, is_muted: boolean): void {
    chat.is_muted = is_muted;
    this.emit('conversationUpdated', { conversation_id: chat.id, is_muted });
  }

  setFolders(titles: string[]): void {
    this.folders = titles.map((title) => ({ id: title, title }));
    this.emit('foldersUpdated', { folders: this.folders });
  }

  #answer(name: string, params: Params): Params | null {
    const chat = this.chats.get(String(params['chat_id']));
    const handlers: Record<string, () => Params | null> = {
      getChats: () => this.#page(params),
      getChat: () => (chat ? this.conversation(chat) : null),
      startChat: () => this.conversation(this.addChat()),
      setChatNotifications: () => {
        if (!chat) return null;
        this.mute(chat, params['is_muted'] === true);
        return this.conversation(chat);
      },
      getDrafts: () => ({
        items: [...this.drafts]
          .filter(([id, { text }]) => text !== '' && this.chats.has(id))
          .map(([chat_id, draft]) => ({
            chat_id,
            channel_id: null,
            thread_root_id: null,
            reply_to_id: null,
            ...draft,
          })),
      }),
      saveDraft: () => {
        if (!chat) return null;
        this.setDraft(chat.id, String(params['text']), String(params['origin']));
        return { ok: true };
      },
      getFolders: () => ({ items: this.folders }),
      setFolders: () => {
        // As the test sent it.
        this.setFolders(params['titles'] as string[]);
        return { items: this.folders };
      },
      getChatHistory: () => {
        if (!chat) return null;
        const items = chat.messages.filter(({ id }) => !this.hidden.has(id)).map((one) => this.message(chat.id, one));
        return { items };
      },
      getMessages: () => {
        const ids = params['message_ids'] as string[]; // as declared
        const all = [...this.chats.values()].flatMap(({ id, messages }) =>
          messages.map((one) => this.message(id, one)),
        );
        return { items: all.filter((one) => ids.includes(String(one['id'])) && !this.hidden.has(String(one['id']))) };
      },
      deleteMessagesForMe: () => {
        const ids = params['message_ids'] as string[]; // as declared
        for (const id of ids) this.hidden.add(id);
        return { ids };
      },
      getUpdates: () => this.#updates(Number(params['since'])),
    };
    return (handlers[name] ?? (() => ({ items: [] })))();
  }

  #page({ cursor }: Params): Params {
    const all = [...this.chats.values()].toReversed();
    const from = cursor === undefined ? 0 : all.findIndex(({ id }) => id < (cursor as string)); // as it was answered
    const page = from < 0 ? [] : all.slice(from, from + PAGE);
    const last = page.at(-1);
    const more = last !== undefined && all.indexOf(last) < all.length - 1;
    return { items: page.map((one) => this.conversation(one)), head: this.head, ...(more && { next_cursor: last.id }) };
  }

  #updates(since: number): Params {
    if (since < this.#logStart) return { frames: [], truncated: true, more: false, head: this.head };
    const frames = this.#log.slice(since).flatMap((event, at) => {
      const seq = since + at + 1;
      return this.#isHidden(event)
        ? []
        : [{ method: `events.${event.method}`, params: event.params, seq, prev: since }];
    });
    return { frames, truncated: false, more: false, head: this.head };
  }
}
