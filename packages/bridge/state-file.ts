import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AskedPermission } from './permission.ts';

const MAX_ENTRIES = 1_000;

/** A session of the agent. */
interface KnownSession {
  id: string;
  /** Whether the agent can load it again. */
  canLoad: boolean;
}

interface Contents {
  /** By timeline. */
  sessions: Record<string, KnownSession>;
  /** Questions that wait, by the message that fired the bot. */
  asked: Record<string, AskedPermission>;
}

/** What outlives the bridge: sessions, and questions that wait. One small file, replaced as a whole (BRIDGE-7). */
export class StateFile {
  readonly folder: string;
  readonly #path: string;
  readonly #contents: Contents;

  /** Throws if the folder cannot be used, or the file is not one of this class. */
  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#path = join(folder, 'bridge.json');
    this.#contents = readContents(this.#path);
  }

  session(timeline: string): KnownSession | undefined {
    return this.#contents.sessions[timeline];
  }

  keepSession(timeline: string, session: KnownSession | null): void {
    this.#put('sessions', timeline, session);
  }

  asked(messageId: string): AskedPermission | undefined {
    return this.#contents.asked[messageId];
  }

  keepAsked(messageId: string, asked: AskedPermission | null): void {
    this.#put('asked', messageId, asked);
  }

  /** The messages whose question waits for an agent that cannot load its session: nobody can go on with the answer. */
  void(): string[] {
    return Object.entries(this.#contents.asked)
      .filter(([, { canLoad }]) => !canLoad)
      .map(([messageId]) => messageId);
  }

  /** The folder of a timeline, which it creates. */
  folderOf(timeline: string): string {
    const name = createHash('sha256').update(timeline).digest('hex').slice(0, 16);
    const folder = join(this.folder, 'conversations', name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  #put<Kind extends keyof Contents>(kind: Kind, key: string, value: Contents[Kind][string] | null): void {
    const entries: Record<string, unknown> = this.#contents[kind];
    // Deleted first, so that it becomes the newest.
    delete entries[key];
    if (value !== null) entries[key] = value;
    const [oldest] = Object.keys(entries);
    if (oldest !== undefined && Object.keys(entries).length > MAX_ENTRIES) delete entries[oldest];
    const next = `${this.#path}.next`;
    writeFileSync(next, JSON.stringify(this.#contents), { mode: 0o600, flush: true });
    renameSync(next, this.#path);
  }
}

function readContents(path: string): Contents {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { sessions: {}, asked: {} };
    throw error;
  }
  try {
    const { sessions, asked } = JSON.parse(text) as Contents; // written by this class
    if (typeof sessions === 'object' && typeof asked === 'object') return { sessions, asked };
  } catch {
    // Said below.
  }
  throw new TypeError(`${path} is not a file of the bridge: delete it, and the bridge begins anew`);
}
