import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '@parley/server/admin/check.ts';
import { prepareDatabase } from '@parley/server/commits/engines/sqlite-start.ts';
import { idText } from '@parley/server/core/ids.ts';
import { IndexFile } from '@parley/server/search/engines/index-file.ts';
import { adopt } from '@parley/server/search/engines/tend.ts';
import { SqliteConnection } from '@parley/server/store/engines/sqlite.ts';
import { statement } from '@parley/server/store/sql.ts';
import type { Commits } from './commits.ts';
import { type Owed, readerOf, type ShownMessage } from './owed.ts';

export const DATABASE = 'parley.db';
export const INDEX = 'search.db';

interface StoredMessage {
  id: Uint8Array;
  key: number;
  client_msg_id: string | null;
  status: string;
  deleted_at: number | null;
  content: string;
  revision: number;
  /** Of an open reply: the highest revision that may have been used. */
  reserved: number | null;
}

const damage = statement<{ quick_check: string }>('PRAGMA quick_check(3)');
const log = statement<{ seq: number }>('SELECT seq FROM events ORDER BY seq');
const reserved = statement<{ value: string }>("SELECT value FROM meta WHERE name = 'seq_reserved'");
const messages = statement<StoredMessage>(
  `SELECT m.id, m.key, m.client_msg_id, m.status, m.deleted_at, s.revision_reserved AS reserved,
     m.record ->> 'content' AS content, m.record ->> 'content_revision' AS revision
   FROM messages m LEFT JOIN streams s ON s.message_key = m.key`,
);
const readers = statement<{ id: Uint8Array; username: string; read_key: number }>(
  `SELECT c.id, a.username, p.read_key FROM participants p
   JOIN chats c ON c.key = p.chat_key JOIN accounts a ON a.key = p.account_key`,
);

/** The numbers of all events in a database. */
export function loggedIn(file: string): number[] {
  const connection = new SqliteConnection(file);
  const seqs = connection.all(log).map(({ seq }) => seq);
  connection.close();
  return seqs;
}

interface Given {
  /** A folder for the files of one cut. */
  folder: string;
  /** The numbers of all events of the whole run, in order. */
  logged: readonly number[];
  owed: Owed;
  commits: Record<typeof DATABASE | typeof INDEX, Commits>;
  /** The file `secrets.key`. */
  key: Buffer;
}

/** Checks the files that a power cut leaves. */
export class Judge {
  readonly #given: Given;
  readonly #logged: ReadonlySet<number>;

  constructor(given: Given) {
    this.#given = given;
    this.#logged = new Set(given.logged);
  }

  /** Returns the problems. `isThorough`: starts as the service does, and runs the admin command's check, too. */
  check(files: ReadonlyMap<string, Buffer>, isThorough: boolean): string[] {
    const { folder, owed, key } = this.#given;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
    if (owed.isNothing) return this.#starts();
    const problems = files.get('secrets.key')?.equals(key) === true ? [] : ['secrets.key is lost'];
    if (!files.has(DATABASE)) return [...problems, `${DATABASE} is lost`];
    problems.push(...this.#opens(DATABASE, (connection) => this.#lostFrom(connection)));
    if (files.has(INDEX)) problems.push(...this.#opens(INDEX, () => []));
    if (problems.length === 0 && isThorough) problems.push(...this.#starts());
    return problems;
  }

  /** Opens a file as after a crash: it must be in the state after a commit, and undamaged. */
  #opens(name: keyof Given['commits'], look: (connection: SqliteConnection) => string[]): string[] {
    const file = join(this.#given.folder, name);
    const commits = this.#given.commits[name];
    const problems: string[] = [];
    try {
      const connection = new SqliteConnection(file);
      try {
        for (const { quick_check } of connection.all(damage)) if (quick_check !== 'ok') problems.push(quick_check);
        if (problems.length === 0) problems.push(...look(connection));
      } finally {
        connection.close();
      }
      // The log is empty after the last connection was closed.
      if (commits.count > 0 && !commits.has(readFileSync(file))) problems.push('is not in the state after any commit');
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
    return problems.map((problem) => `${name}: ${problem}`);
  }

  /** What the service and the admin command find. */
  #starts(): string[] {
    const { folder } = this.#given;
    try {
      prepareDatabase(join(folder, DATABASE));
      const connection = new SqliteConnection(join(folder, DATABASE), { readOnly: true });
      const index = new IndexFile(join(folder, INDEX));
      adopt(connection, index);
      index.close();
      connection.close();
      return check(folder).problems.map((problem) => `check: ${problem}`);
    } catch (error) {
      return [`the service does not start: ${error instanceof Error ? error.message : String(error)}`];
    }
  }

  #lostFrom(connection: SqliteConnection): string[] {
    const { owed, logged } = this.#given;
    const problems: string[] = [];
    const seqs = connection.all(log).map(({ seq }) => seq);
    if (seqs.some((seq, at) => seq !== logged[at])) problems.push('the log has gaps');
    const last = seqs.at(-1) ?? 0;
    for (const seq of owed.seqs) if (seq > last && this.#logged.has(seq)) problems.push(`event ${seq} is lost`);
    const highest = Number(connection.all(reserved)[0]?.value ?? 0);
    if (owed.highestSeq > highest) problems.push(`the number ${owed.highestSeq} may be used again`);

    const stored = new Map(connection.all(messages).map((row) => [idText(row.id), row]));
    for (const message of owed.messages.values()) problems.push(...changed(message, stored.get(message.id)));
    for (const id of owed.deleted)
      if (stored.get(id)?.deleted_at === null) problems.push(`message ${id} is no longer deleted`);
    const read = new Map(
      connection.all(readers).map(({ id, username, read_key }) => [readerOf(idText(id), username), read_key]),
    );
    for (const [reader, position] of owed.read)
      if ((read.get(reader) ?? -1) < position) problems.push(`the read marker of ${reader} is lost`);
    return problems;
  }
}

/** How a message differs from what a client has received of it. */
function changed(shown: ShownMessage, row: StoredMessage | undefined): string[] {
  const name = `message ${shown.position} (${shown.id})`;
  if (!row) return [`${name} is lost`];
  if (row.key !== shown.position) return [`${name} is at ${row.key}`];
  if (shown.client_msg_id !== undefined && row.client_msg_id !== shown.client_msg_id)
    return [`${name} has another client_msg_id`];
  if (row.deleted_at !== null) return [];
  const isOpen = row.status === 'streaming';
  if (shown.status === 'streaming') {
    const most = isOpen ? (row.reserved ?? 0) : row.revision;
    return most < shown.content_revision ? [`${name}: revision ${shown.content_revision} may be used again`] : [];
  }
  if (isOpen) return [`${name} has not ended`];
  if (row.revision < shown.content_revision) return [`${name}: an edit is lost`];
  if (row.revision === shown.content_revision && row.content !== shown.content) return [`${name} has another text`];
  return [];
}
