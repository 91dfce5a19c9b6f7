import { type Api, ApiError } from '@parley/client';
import type { Message, Result } from '@parley/protocol';
import { FrameChain, type ReceivedFrame } from '../frame-chain.ts';
import type { TestSocket } from '../test-socket.ts';
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

/** A client that loads, follows the log, and recovers by the interface's rules. */
export class Follower {
  readonly problems: string[] = [];
  readonly caps: string;
  /** The account's username. */
  readonly account: string;
  /** Who follows, in the words of a failure. */
  readonly whose: string;
  state = new ClientState();
  socket: TestSocket | null = null;
  /** Missed frames are fetched over the socket itself, or over HTTP in its name. */
  recoverOver: 'socket' | 'http' = 'socket';
  /** Nodes come and go: what fails for that is no problem, and ends the connection. */
  isPatient = false;
  /** Frames per page while catching up, as the SDK asks; undefined asks for everything at once (LOG-10). */
  pageLimit: number | undefined = 1_000;
  /** Pages and frames it fetched, how often it loaded everything anew, or asked for a reply it had lost track of. */
  readonly recovered = { fetches: 0, frames: 0, reloads: 0, snapshots: 0 };
  /** How many frames and greetings it has dealt with. */
  handled = 0;
  /** Given each live frame as it comes. */
  onFrame: (frame: ReceivedFrame) => void = () => {};
  /** Where it looks, if it has the cap `focus`. */
  focus: Timeline | null = null;
  /** Where the service may think that it looks: more than one place while it is being told. */
  #focuses: (Timeline | null)[] = [null];
  /** Replies that it has asked for whole. */
  readonly #asked = new Set<string>();
  /** Counts that were told and are not its own: nothing, if it turns out that something was being hidden. */
  readonly #miscounts: string[] = [];
  readonly #parts: FollowerParts;
  #work: Promise<void> = Promise.resolve();
  /** Of the current connection; what an earlier one still had to do is void. */
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

  /** Replies that are still being written, as far as this client knows. */
  get streaming(): Message[] {
    const messages = [...this.state.chats.values()].flatMap((chat) => [...chat.messages.values()]);
    return messages.filter(({ status }) => status === 'streaming');
  }

  /** What a client that has just come would know. */
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
        // Nobody waits for this one any more.
        if (connection !== this.#connection) return void socket.terminate();
        this.socket = socket;
        this.#focuses = [null];
        this.#asked.clear();
        later(() => this.#reach(socket.hello.head, socket));
        if (this.focus) later(() => this.#tellFocus(socket));
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

  /** Looks elsewhere, or nowhere; a socket that comes later is told so too. Resolves when the service knows. */
  async setFocus(focus: Timeline | null): Promise<void> {
    this.focus = focus;
    const { socket } = this;
    if (socket?.isOpen) await this.#tellFocus(socket);
  }

  /** Does what the next tick would make it do: asks whether it has missed something. */
  async ask(): Promise<void> {
    const { socket } = this;
    if (!socket?.isOpen) return;
    this.#work = this.#work.then(() => this.#attempt(() => this.#catchUp(socket)));
    await this.idle();
  }

  /** The connection breaks. What had come is still handled, unless it is lost with it. */
  async drop({ losing = false } = {}): Promise<void> {
    if (losing) this.#connection += 1;
    if (this.socket?.isOpen) await this.socket.terminate();
    await this.idle();
    this.#connection += 1;
    this.socket = null;
  }

  /** Resolves when everything that has come is handled. */
  async idle(): Promise<void> {
    for (let work; work !== this.#work;) {
      work = this.#work;
      await work;
    }
  }

  /** The client is told from outside that it left a conversation: it meets it anew, or never. */
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
    const excepted = { hidden: this.#parts.hidden, nodrafts, focus, ext: this.has('ext'), username: this.account };
    assertSame(this.state, fresh, excepted, this.whose);
  }

  async #tellFocus(socket: TestSocket): Promise<void> {
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
      // It takes no part there, or no more; or the connection broke.
      if (!(error instanceof ApiError) && socket.isOpen) throw error;
    }
  }

  /** A live frame is nothing that the caps keep out: no content of drafts, or only as patches, or only where it looks. */
  #checkCaps({ method, params, seq, prev }: ReceivedFrame, focuses: readonly (Timeline | null)[]): void {
    const name = method.replace(/^events\./, '');
    const isPlace = name === 'messageNew' && params['status'] === 'streaming';
    const isContent = isPlace || name === 'messageDelta' || name === 'messageDraftPatch';
    const fault = (what: string): void => void this.problems.push(`${this.whose}: ${method} ${seq} ${what}`);
    if (this.has('nodrafts')) {
      if (isContent || name === 'draftActivity' || name === 'typing') fault('is for no socket with nodrafts');
      return;
    }
    if (name === (this.has('patch') ? 'messageDelta' : 'messageDraftPatch')) fault('is not how it gets drafts');
    if (!this.has('focus')) {
      if (name === 'draftActivity') fault('is for sockets with focus');
      return;
    }
    // What it asked for may come wherever it is.
    if (seq === prev) return;
    const place =
      isPlace || name === 'draftActivity' ? params : isContent ? this.state.find(String(params['id'])) : undefined;
    // A Message and the activity of a draft name their timeline.
    const isHere = place && focuses.some((focus) => isSameTimeline(place as Timeline, focus));
    if (isContent && place && !isHere) fault('is of a draft where it does not look');
    if (name === 'draftActivity' && isHere && focuses.length === 1) fault('is of a draft where it looks');
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    this.handled += 1;
    try {
      await work();
    } catch (error) {
      const isStopping = error instanceof ApiError ? error.status === 503 : this.isPatient;
      if (isStopping && this.isPatient) void this.socket?.terminate();
      else if (this.socket?.isOpen && !isStopping) this.problems.push(`${this.whose}: ${String(error)}`);
      // The connection broke under a fetch: the next one fetches what is missing, and what came behind it is void.
      this.#connection += 1;
    }
  }

  /** Hello or a tick says how far the log has come. */
  async #reach(head: number, socket: TestSocket): Promise<void> {
    if (head > this.state.position) await this.#catchUp(socket);
  }

  async #take(frame: ReceivedFrame, socket: TestSocket): Promise<void> {
    const { state } = this;
    // Outside the log: always handled, moves nothing; behind newer frames that were fetched it may be old (CAPS-9).
    if (frame.seq === frame.prev) return state.isOutdated(frame) ? undefined : this.#apply(frame);
    if (frame.prev > state.position) await this.#catchUp(socket);
    if (frame.seq <= this.state.position) return;
    await this.#apply(frame);
    this.state.position = frame.seq;
    this.#checkCount(frame);
  }

  /** A count that is told is what the client counts for itself, where it knows every message (EXT-3). */
  #checkCount({ method, params }: ReceivedFrame): void {
    const told = method === 'events.conversationUpdated' ? params['unread_count'] : undefined;
    if (told === undefined || this.#parts.hidden.size > 0 || this.has('nodrafts') || this.has('focus')) return;
    const chat = this.state.chats.get(String(params['conversation_id']));
    const counted = chat && unreadOf(chat, [...chat.messages.values()], this.account);
    if (chat && counted !== told)
      this.#miscounts.push(`${this.whose} was told of ${Number(told)} unread, but knows of ${counted}`);
  }

  /** Fetches what was missed since the last frame, page by page. */
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
    return (await socket.rpc('getUpdates', request)) as Result<'getUpdates'>; // what the method of this name answers
  }

  /** The page's own chain: it begins at `since`, and is never empty where more is to come. */
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

/** Compares several clients, with one fetch for those of the same account. */
export async function compareAll(followers: readonly Follower[]): Promise<void> {
  const fetched = new Map<string, ClientState>();
  for (const follower of followers) {
    const fresh = fetched.get(follower.account) ?? (await follower.fetch());
    fetched.set(follower.account, fresh);
    await follower.compare(fresh);
  }
}
