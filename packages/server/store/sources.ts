// The libraries of agents (KNOW-1): the tables agent_sources and agent_source_texts.
import type { SourceFailure } from '@parley/protocol';
import { columnsOfFile, type FileRow } from './files.ts';
import { statement } from './sql.ts';

export interface SourceRow {
  key: number;
  id: Uint8Array;
  agent_key: number;
  /** 0: a page. */
  file_key: number;
  /** Null: a file. */
  url: string | null;
  title: string;
  is_untitled: 0 | 1;
  is_open: 0 | 1;
  added_at: number;
  is_waiting: 0 | 1;
  round: number;
  read_at: number | null;
  failure: SourceFailure | null;
  is_cut: 0 | 1;
  bytes: number;
}

const columns = `s.key, s.id, s.agent_key, s.file_key, s.url, s.title, s.is_untitled, s.is_open, s.added_at, s.is_waiting,
  s.round, s.read_at, s.failure, s.is_cut, s.bytes`;

export const sourceById = statement<SourceRow, [id: Uint8Array]>(
  `SELECT ${columns} FROM agent_sources s WHERE s.id = $1`,
);
export const sourceByKey = statement<SourceRow, [key: number]>(
  `SELECT ${columns} FROM agent_sources s WHERE s.key = $1`,
);
/** In the order in which they were added. */
export const sourcesOf = statement<SourceRow, [agent: number]>(
  `SELECT ${columns} FROM agent_sources s WHERE s.agent_key = $1 ORDER BY s.key`,
);
/** The files of an agent's library. */
export const filesOfSources = statement<FileRow, [agent: number]>(
  `SELECT ${columnsOfFile} FROM files f WHERE f.key IN
     (SELECT s.file_key FROM agent_sources s WHERE s.agent_key = $1 AND s.file_key <> 0)`,
);
export const fileOfSource = statement<FileRow, [key: number]>(`SELECT ${columnsOfFile} FROM files f WHERE f.key = $1`);
/** How many sources an agent has, and the bytes of their texts. */
export const countSources = statement<{ count: number; bytes: number }, [agent: number]>(
  'SELECT count(*) AS count, COALESCE(sum(bytes), 0) AS bytes FROM agent_sources WHERE agent_key = $1',
);
/** Whether an agent has a text to search. */
export const hasLibrary = statement<{ key: number }, [agent: number]>(
  'SELECT key FROM agent_sources WHERE agent_key = $1 AND bytes > 0 LIMIT 1',
);
export const sameSource = statement<{ key: number }, [agent: number, file: number, url: string | null]>(
  `SELECT key FROM agent_sources WHERE agent_key = $1 AND file_key = $2
     AND COALESCE(url, '') = COALESCE(CAST($3 AS TEXT), '')`,
);
export const insertSource = statement<
  { key: number },
  [
    id: Uint8Array,
    agent: number,
    file: number,
    url: string | null,
    title: string,
    untitled: number,
    open: number,
    now: number,
  ]
>(
  `INSERT INTO agent_sources (id, agent_key, file_key, url, title, is_untitled, is_open, added_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING key`,
);
export const changeSource = statement<never, [key: number, title: string, untitled: number, open: number]>(
  'UPDATE agent_sources SET title = $2, is_untitled = $3, is_open = $4 WHERE key = $1',
);
/** Lets a source be read again. What is being read of it now counts no more. */
export const awaitSource = statement<never, [key: number]>(
  'UPDATE agent_sources SET is_waiting = 1, round = round + 1, tries = 0, claimed_until = 0 WHERE key = $1',
);
export const dropSource = statement<never, [key: number]>('DELETE FROM agent_sources WHERE key = $1');
export const dropSourceText = statement<never, [key: number]>('DELETE FROM agent_source_texts WHERE source_key = $1');

export interface WaitingSource {
  key: number;
  owner_key: number;
  agent: string;
  file_key: number;
  url: string | null;
}
/**
 * The oldest waiting source of the next owner after the given one. A claim that ends after `latest` was made before the
 * clock was set back: it counts no more than one that has ended.
 */
export const nextSource = statement<WaitingSource, [owner: number, now: number, latest: number]>(
  `SELECT s.key, a.parent_key AS owner_key, a.username AS agent, s.file_key, s.url
   FROM agent_sources s JOIN accounts a ON a.key = s.agent_key
   WHERE s.is_waiting = 1 AND a.parent_key > $1 AND (s.claimed_until <= $2 OR s.claimed_until > $3)
   ORDER BY a.parent_key, s.key LIMIT 1`,
);
/** Claims a waiting source; no row if another node has it. */
export const claimSource = statement<
  { round: number; tries: number },
  [key: number, now: number, until: number, latest: number]
>(
  `UPDATE agent_sources SET tries = tries + 1, claimed_until = $3
   WHERE key = $1 AND is_waiting = 1 AND (claimed_until <= $2 OR claimed_until > $4) RETURNING round, tries`,
);
/** Ends a claim without a result: it counts as no try. */
export const unclaimSource = statement<never, [key: number, round: number, tries: number, until: number]>(
  `UPDATE agent_sources SET tries = tries - 1, claimed_until = $4
   WHERE key = $1 AND round = $2 AND tries = $3 AND is_waiting = 1`,
);
/** The source, if this try may still say what it has read. */
export const claimedSource = statement<SourceRow, [key: number, round: number, tries: number]>(
  `SELECT ${columns} FROM agent_sources s WHERE s.key = $1 AND s.round = $2 AND s.tries = $3 AND s.is_waiting = 1`,
);
export const setSourceRead = statement<
  never,
  [key: number, now: number, title: string, cut: number, bytes: number, failure: string | null]
>(
  `UPDATE agent_sources SET is_waiting = 0, claimed_until = 0, tries = 0, read_at = $2, title = $3, is_cut = $4,
     bytes = $5, failure = $6 WHERE key = $1`,
);
export const putSourceText = statement<never, [key: number, passages: string, words: string]>(
  `INSERT INTO agent_source_texts (source_key, passages, words) VALUES ($1, $2, $3)
   ON CONFLICT (source_key) DO UPDATE SET passages = excluded.passages, words = excluded.words`,
);

/** A source that a search looks at. */
export interface SearchedSource {
  key: number;
  id: Uint8Array;
  title: string;
}
export const searchedSources = statement<SearchedSource, [agent: number]>(
  'SELECT key, id, title FROM agent_sources WHERE agent_key = $1 AND bytes > 0 ORDER BY key',
);
export const wordsOfSource = statement<{ words: string }, [key: number]>(
  'SELECT words FROM agent_source_texts WHERE source_key = $1',
);
export const passagesOfSource = statement<{ passages: string }, [key: number]>(
  'SELECT passages FROM agent_source_texts WHERE source_key = $1',
);

/** A page of the sources of a person's agents, for an export. */
export const sourcesOfOwner = statement<
  SourceRow & { agent: string; file_id: Uint8Array | null; passages: string | null },
  [owner: number, after: number, limit: number]
>(
  `SELECT ${columns}, a.username AS agent, f.id AS file_id, t.passages
   FROM agent_sources s JOIN accounts a ON a.key = s.agent_key LEFT JOIN files f ON f.key = s.file_key
     LEFT JOIN agent_source_texts t ON t.source_key = s.key
   WHERE a.parent_key = $1 AND s.key > $2 ORDER BY s.key LIMIT $3`,
);
