import { type Api, ApiError } from '@parley/client';
import type { Message, Result } from '@parley/protocol';
import { FrameChain, type ReceivedFrame } from './frame-chain.ts';
import type { TestSocket } from '../world/test-socket.ts';
import { ClientState, type Need, type SeenThreads } from './client-state.ts';
import { assertSame, isSameTimeline, type Timeline, unreadOf } from './comparison.ts';
import { loadChat, loadState } from './load.ts';

interface FollowerParts {
  api: Api;
  caps: string;
  account: string;
  /** Shared by all clients of the account. */
  hidden: ReadonlySet<string>;
  threads: SeenThreads;
  open: (on: {
    onOpen: (socket: TestSocket) => void;
    onFrame: (frame: ReceivedFrame) => void;
    onTick: (head: number) => void;
  }) => Promise<unknown>;
}

/** A client that loads, follows the log, and recovers by the rules of the interface. */
export class Follower {
  readonly problems: string[] = [];
  readonly caps: string;
  /** The account's username. */
  readonly account: string;
  /** Identifies the client in failures. */
  readonly whose: string;
  state = new ClientState();
  socket: TestSocket | null = null;
  /** Whether missed frames are fetched over the socket, or over HTTP for the socket. */
  recoverOver: 'socket' | 'http' = 'socket';
  /** True if nodes fail during the test: then a failed fetch ends the connection and is not a problem. */
  isPatient = false;
  /** Frames per page while catching up, as in the SDK; undefined requests everything at once (LOG-10). */
  pageLimit: number | undefined = 1_000;
  /** Pages and frames fetched, full reloads, and requested snapshots. */
  readonly recovered = { fetches: 0, frames: 0, reloads: 0, snapshots: 0 };
  /** Number of handled frames and hellos. */
  handled = 0;
  /** Called with each live frame. */
  onFrame: (frame: ReceivedFrame) => void = () => {};
  /** The timeline in focus, with the cap `focus`. */
  focus: Timeline | null = null;
  /** Timelines that the service may consider in focus: several while a change is in flight. */
  #focuses: (Timeline | null)[] = [null];
  /** Replies whose snapshot the client has requested. */
  readonly #asked = new Set<string>();
  /** Counts from the service that differ from the client's own; ignored if messages were being hidden. */
  readonly #miscounts: string[] = [];
  readonly #parts: FollowerParts;
  #work: Promise<void> = Promise.resolve();
  /** Incremented per connection; work for an earlier one is abandoned. */
  #connection = 0;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.caps = parts.caps;
    this.account = parts.account;
    this.whose = `${parts.account}, caps "${parts.caps}"`;
  }

  async load(): Promise<this> {
    this.state = await this.fetch();
    return this;
  }

  /** Replies that are still streaming, as far as this client knows. */
  get streaming(): Message[] {
    const messages = [...this.state.chats.values()].flatMap((chat) => [...chat.messages.values()]);
    return messages.filter(({ status }) => status === 'streaming');
  }

  /** The state of a freshly loaded client. */
  fetch(): Promise<ClientState> {
    return loadState(this.#parts.api, this.#parts.threads);
  }

  async connect(): Promise<this> {
    this.#connection += 1;
    const connection = this.#connection;
    const later = (work: () => Promise<void>): void => {
      this.#work = this.#work.then(() => (connection === this.#connection ? this.#attempt(work) : undefined));
    };
    await this.#parts.open({
      onOpen: (socket) => {
        // This connection attempt has been abandoned.
        if (connection !== this.#connection) return void socket.terminate();
        this.socket = socket;
        this.#focuses = [null];
        this.#asked.clear();
        later(() => this.#reach(socket.hello.head, socket));
        if (this.focus) later(() => this.#sendFocus(socket));
        return undefined;
      },
      onTick: (head) => {
        const { socket } = this;
        if (socket) later(() => this.#reach(head, socket));
      },
      onFrame: (frame) => {
        const { socket } = this;
        this.onFrame(frame);
        const focuses = this.#focuses;
        if (socket)
          later(() => {
            this.#checkCaps(frame, focuses);
            return this.#take(frame, socket);
          });
      },
    });
    return this;
  }

  has(cap: string): boolean {
    return this.caps.split(',').includes(cap);
  }

  /** Changes the focus, also for later sockets. Resolves when the service has applied it. */
  async setFocus(focus: Timeline | null): Promise<void> {
    this.focus = focus;
    const { socket } = this;
    if (socket?.isOpen) await this.#sendFocus(socket);
  }

  /** Does what the next tick would trigger: fetches missed events. */
  async ask(): Promise<void> {
    const { socket } = this;
    if (!socket?.isOpen) return;
    this.#work = this.#work.then(() => this.#attempt(() => this.#catchUp(socket)));
    await this.idle();
  }

  /** Breaks the connection. Received frames are still handled, unless `losing`. */
  async drop({ losing = false } = {}): Promise<void> {
    if (losing) this.#connection += 1;
    if (this.socket?.isOpen) await this.socket.terminate();
    await this.idle();
    this.#connection += 1;
    this.socket = null;
  }

  /** Resolves when all received frames are handled. */
  async idle(): Promise<void> {
    for (let work; work !== this.#work;) {
      work = this.#work;
      await work;
    }
  }

  /** Called by the simulation when the account leaves a conversation: without `ext` no event reports that. */
  forget(chatId: string): void {
    this.state.forget(chatId);
  }

  /** Stale state + frames = fresh fetch (LOG-17); throws with the difference. */
  async compare(fetched?: ClientState): Promise<void> {
    await this.idle();
    const miscounts = this.#parts.hidden.size > 0 ? [] : this.#miscounts;
    const problems = [...this.problems, ...miscounts, ...(this.socket?.problems ?? [])];
    if (problems.length > 0) throw new Error(problems.join('\n'));
    const fresh = fetched ?? (await this.fetch());
    const nodrafts = this.has('nodrafts');
    const focus = this.has('focus') && !nodrafts ? this.focus : undefined;
    const excepted = {
      hidden: this.#parts.hidden,
      nodrafts,
      focus,
      ext: this.has('ext'),
      patch: this.has('patch'),
      username: this.account,
    };
    assertSame(this.state, fresh, excepted, this.whose);
  }

  async #sendFocus(socket: TestSocket): Promise<void> {
    const { focus } = this;
    this.#focuses = [...this.#focuses, focus];
    const place = focus && {
      chat_id: focus.conversation_id,
      channel_id: focus.channel_id,
      thread_root_id: focus.thread_root_id,
    };
    try {
      await socket.rpc('wsFocus', { socket: socket.hello.socket, focus: place });
      if (this.focus === focus) this.#focuses = [focus];
    } catch (error) {
      // The account cannot see the conversation, or the connection broke.
      if (!(error instanceof ApiError) && socket.isOpen) throw error;
    }
  }

  /** Checks that a live frame respects the caps: no text of streaming replies, or only as patches, or only in focus. */
  #checkCaps({ method, params, seq, prev }: ReceivedFrame, focuses: readonly (Timeline | null)[]): void {
    const name = method.replace(/^events\./, '');
    const isPlace = name === 'messageNew' && params['status'] === 'streaming';
    const isPart = name === 'messagePart';
    const isContent = isPlace || isPart || name === 'messageDelta' || name === 'messageDraftPatch';
    const fault = (what: string): void => void this.problems.push(`${this.whose}: ${method} ${seq} ${what}`);
    if (isPart && !this.has('ext')) fault('must only be sent with ext');
    if (this.has('nodrafts')) {
      if (isContent || name === 'draftActivity' || name === 'typing') fault('must not be sent with nodrafts');
      return;
    }
    if (name === (this.has('patch') ? 'messageDelta' : 'messageDraftPatch')) fault('has the wrong form for these caps');
    if (!this.has('focus')) {
      if (name === 'draftActivity') fault('must only be sent with focus');
      return;
    }
    // Requested snapshots may come from any timeline.
    if (seq === prev || (isPlace && this.#asked.has(String(params['id'])))) return;
    const place =
      isPlace || name === 'draftActivity' ? params : isContent ? this.state.find(String(params['id'])) : undefined;
    // A Message and draftActivity name their timeline.
    const isHere = place && focuses.some((focus) => isSameTimeline(place as Timeline, focus));
    if (isContent && place && !isHere) fault('is the text of a reply out of focus');
    if (name === 'draftActivity' && isHere && focuses.length === 1) fault('is the activity of a reply in focus');
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    this.handled += 1;
    try {
      await work();
    } catch (error) {
      const isStopping = error instanceof ApiError ? error.status === 503 : this.isPatient;
      if (isStopping && this.isPatient) void this.socket?.terminate();
      else if (this.socket?.isOpen && !isStopping) this.problems.push(`${this.whose}: ${String(error)}`);
      // The connection broke during a fetch: the next one fetches what is missing, so later frames are abandoned.
      this.#connection += 1;
    }
  }

  /** Hello or a tick gives the head of the log. */
  async #reach(head: number, socket: TestSocket): Promise<void> {
    if (head > this.state.position) await this.#catchUp(socket);
  }

  async #take(frame: ReceivedFrame, socket: TestSocket): Promise<void> {
    const { state } = this;
    // A frame outside the log does not move the position; it is applied unless a fetch has outdated it (CAPS-9).
    if (frame.seq === frame.prev) return state.isOutdated(frame) ? undefined : this.#apply(frame);
    if (frame.prev > state.position) await this.#catchUp(socket);
    if (frame.seq <= this.state.position) return;
    await this.#apply(frame);
    this.state.position = frame.seq;
    this.#checkCount(frame);
  }

  /** A count from the service must equal the client's own if the client knows every message (EXT-3). */
  #checkCount({ method, params }: ReceivedFrame): void {
    const received = method === 'events.conversationUpdated' ? params['unread_count'] : undefined;
    if (received === undefined || this.#parts.hidden.size > 0 || this.has('nodrafts') || this.has('focus')) return;
    const chat = this.state.chats.get(String(params['conversation_id']));
    const counted = chat && unreadOf(chat, [...chat.messages.values()], this.account);
    if (chat && counted !== received)
      this.#miscounts.push(`${this.whose} received ${Number(received)} unread, but counts ${counted}`);
  }

  /** Fetches missed frames page by page. */
  async #catchUp(socket: TestSocket): Promise<void> {
    for (;;) {
      const page = await this.#updates(this.state.position, socket);
      if (page.truncated) {
        this.recovered.reloads += 1;
        await this.load();
        return;
      }
      this.recovered.fetches += 1;
      this.recovered.frames += page.frames.length;
      this.#check(page, this.state.position);
      for (const frame of page.frames) {
        await this.#apply(frame);
        this.state.position = frame.seq;
      }
      if (page.more) continue;
      this.state.position = page.head;
      return;
    }
  }

  async #updates(since: number, socket: TestSocket): Promise<Result<'getUpdates'>> {
    const request = { since, limit: this.pageLimit };
    if (this.recoverOver === 'http') return this.#parts.api.getUpdates({ ...request, socket: socket.hello.socket });
    return (await socket.rpc('getUpdates', request)) as Result<'getUpdates'>; // the declared result of this method
  }

  /** Checks the page's own chain: it begins at `since`, and is not empty if there is more. */
  #check({ frames, head, more }: Result<'getUpdates'>, since: number): void {
    const chain = new FrameChain(since);
    for (const frame of frames) chain.take(frame);
    if (more && frames.length === 0) chain.problems.push('an empty page with more to come');
    if (!more && frames.length > 0 && head < chain.lastSeq)
      chain.problems.push(`head ${head} is below ${chain.lastSeq}`);
    this.problems.push(...chain.problems.map((text) => `getUpdates of ${this.whose} since ${since}: ${text}`));
  }

  async #apply(frame: ReceivedFrame): Promise<void> {
    const need = this.state.apply(frame);
    if (frame.method !== 'events.messageDraftPatch') this.#asked.delete(String(frame.params['id']));
    if (need) await this.#fetch(need);
  }

  async #fetch(need: Need): Promise<void> {
    if ('load' in need) return loadChat(this.#parts.api, this.state, need.load);
    if ('whole' in need) {
      const { socket } = this;
      if (!socket?.isOpen || this.#asked.has(need.whole)) return;
      this.#asked.add(need.whole);
      this.recovered.snapshots += 1;
      await socket.rpc('wsFocus', { socket: socket.hello.socket, snapshots: [need.whole] });
      return;
    }
    this.recovered.snapshots += 1;
    const { items } = await this.#parts.api.getMessages({ message_ids: [need.snapshot] });
    for (const message of items) this.state.upsert(message);
  }
}

/** Compares several clients, with one fetch per account. */
export async function compareAll(followers: readonly Follower[]): Promise<void> {
  const fetched = new Map<string, ClientState>();
  for (const follower of followers) {
    const fresh = fetched.get(follower.account) ?? (await follower.fetch());
    fetched.set(follower.account, fresh);
    await follower.compare(fresh);
  }
}
