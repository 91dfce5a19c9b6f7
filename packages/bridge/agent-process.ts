import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Readable, Transform, Writable } from 'node:stream';
import {
  client,
  type ClientConnection,
  type InitializeResponse,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
} from '@agentclientprotocol/sdk';
import { AgentTrouble } from './agent-trouble.ts';
import { FolderFiles } from './folder-files.ts';
import { HAS_GROUPS, Lifeline, signalAll } from './lifeline.ts';

/** Bytes that an agent may write from one prompt to the next. */
const MAX_OUTPUT = 32 * 1024 * 1024;
const MAX_LINE = 8 * 1024 * 1024;
/** How long an agent has to end by itself. */
const GRACE_MS = 2_000;
const MAX_NOTE = 500;
/** Between the end of its output and that of the program. */
const EXIT_MS = 1_000;

const lifeline = new Lifeline();

export interface AgentOptions {
  command: readonly [program: string, ...args: string[]];
  env: Readonly<Record<string, string>>;
  /** The folder that the agent works in, and whose files it may read and write through the bridge. */
  folder: string;
  hasFiles: boolean;
  /** How long `initialize` and the begin of a session may take. */
  startMs: number;
  log: (line: string) => void;
  onUpdate: (notification: SessionNotification) => void;
  onPermission: (request: RequestPermissionRequest, signal: AbortSignal) => Promise<RequestPermissionResponse>;
}

/** One run of the agent's program. Whatever it does, it is bounded in memory and time (BRIDGE-8). */
export class AgentProcess {
  readonly #options: AgentOptions;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #connection: ClientConnection;
  readonly #over = Promise.withResolvers<never>();
  #output = 0;
  #note = '';
  #trouble: AgentTrouble | null = null;
  #info: InitializeResponse | null = null;

  private constructor(options: AgentOptions) {
    this.#options = options;
    const [program, ...args] = options.command;
    this.#child = spawn(program, args, {
      cwd: options.folder,
      env: options.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: HAS_GROUPS,
    });
    lifeline.hold(this.#child);
    // What it has started ends with it.
    this.#child.once('exit', () => signalAll(this.#child, 'SIGKILL'));
    this.#over.promise.catch(() => {});
    this.#child.once('error', () => this.#end('The program of the agent could not be started.'));
    this.#child.once('close', (code, signal) =>
      this.#end(`The agent has ended unexpectedly (${signal ?? `exit code ${code}`}).`),
    );
    // A pipe that the agent has closed.
    this.#child.stdin.on('error', () => {});
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#note = (this.#note + text).slice(-MAX_NOTE);
    });
    const counted = this.#child.stdout.pipe(this.#counting());
    // The types of web streams in Node and in the library differ in their generics alone.
    const input = Readable.toWeb(counted) as ReadableStream<Uint8Array>;
    const stream = ndJsonStream(Writable.toWeb(this.#child.stdin), input, { maxMessageBytes: MAX_LINE });
    this.#connection = this.#app().connect(stream);
    const closed = (): void => {
      // One that has ended is told by its exit code.
      const timer = setTimeout(() => this.#end('The agent has written what is not its protocol.'), EXIT_MS);
      this.#child.once('close', () => clearTimeout(timer));
    };
    void this.#connection.closed.then(closed, closed);
  }

  /** Starts the program and agrees on the protocol. Throws AgentTrouble. */
  static async start(options: AgentOptions): Promise<AgentProcess> {
    const agent = new AgentProcess(options);
    try {
      agent.#info = await agent.call((context) =>
        context.request(methods.agent.initialize, {
          protocolVersion: PROTOCOL_VERSION,
          clientCapabilities: {
            fs: { readTextFile: options.hasFiles, writeTextFile: options.hasFiles },
            terminal: false,
          },
          clientInfo: { name: 'parley-bridge', version: '0.1.0' },
        }),
      );
      if (agent.#info.protocolVersion !== PROTOCOL_VERSION)
        throw new AgentTrouble('The agent speaks another version of its protocol.');
      return agent;
    } catch (error) {
      agent.kill();
      throw error;
    }
  }

  get isOver(): boolean {
    return this.#trouble !== null;
  }

  get capabilities(): NonNullable<InitializeResponse['agentCapabilities']> {
    return this.#info?.agentCapabilities ?? {};
  }

  /** A request that has to be answered soon. Throws AgentTrouble. */
  async call<Result>(ask: (context: ClientConnection['agent']) => Promise<Result>): Promise<Result> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new AgentTrouble('The agent does not answer.')), this.#options.startMs);
    try {
      return await Promise.race([this.request(ask), late.promise]);
    } catch (error) {
      if (error instanceof AgentTrouble) this.kill();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** A request that may take as long as it does. Throws AgentTrouble once the agent is over. */
  async request<Result>(ask: (context: ClientConnection['agent']) => Promise<Result>): Promise<Result> {
    this.#output = 0;
    try {
      return await Promise.race([this.#over.promise, ask(this.#connection.agent)]);
    } catch (error) {
      if (error instanceof AgentTrouble) throw error;
      // The connection ends before the program does.
      if (this.#connection.signal.aborted) return this.#over.promise;
      if (this.#trouble) throw this.#trouble;
      this.#options.log(`the agent refused a request: ${String(error).slice(0, MAX_NOTE)}`);
      throw new AgentTrouble('The agent has refused the request. What it says is in the log of the bridge.');
    }
  }

  notifyCancel(sessionId: string): void {
    this.#connection.agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {});
  }

  /** Ends the program: first it is asked, then it has to. */
  kill(why = 'The agent was ended.'): void {
    this.#end(why);
  }

  #app() {
    const { onUpdate, onPermission, folder, hasFiles } = this.#options;
    const app = client({ name: 'parley-bridge' })
      .onNotification(methods.client.session.update, ({ params }) => onUpdate(params))
      .onRequest(methods.client.session.requestPermission, ({ params, signal }) => onPermission(params, signal));
    if (!hasFiles) return app;
    const files = new FolderFiles(folder);
    return app
      .onRequest(methods.client.fs.readTextFile, async ({ params: { path, line, limit } }) => ({
        content: await files.read(path, line, limit),
      }))
      .onRequest(methods.client.fs.writeTextFile, async ({ params: { path, content } }) => {
        await files.write(path, content);
        return {};
      });
  }

  #counting(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.#output += chunk.length;
        if (this.#output <= MAX_OUTPUT) return done(null, chunk);
        this.#end('The agent has written too much, and was ended.');
        return done();
      },
    });
  }

  #end(why: string): void {
    if (this.#trouble) return;
    this.#trouble = new AgentTrouble(why);
    this.#over.reject(this.#trouble);
    const note = this.#note.trim();
    this.#options.log(note === '' ? why : `${why} Its last words: ${note}`);
    this.#connection?.close();
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return;
    signalAll(child, 'SIGTERM');
    const timer = setTimeout(() => signalAll(child, 'SIGKILL'), GRACE_MS);
    child.once('exit', () => clearTimeout(timer));
  }
}
