// code/: runs JavaScript that models write, in a process of its own that can reach nothing (CODE-2). Imports core and the
// memory of processes, not the store.

const MIB = 1024 * 1024;

/** What code may use and return. */
export const codeLimits = {
  /** UTF-16 units of the code itself. */
  codeLength: 64_000,
  /** Files that a call may read, and their bytes together. */
  filesRead: 8,
  readBytes: 16 * MIB,
  /** Files that a call may save, and their bytes together. */
  filesSaved: 4,
  savedBytes: 8 * MIB,
  /** UTF-16 units of the name of a saved file. */
  nameLength: 200,
  /** Bytes of what is printed and returned. */
  textBytes: 60 * 1024,
  /** Memory of the engine, with everything that the code has read. */
  memoryBytes: 64 * MIB,
  /** How long code may run before its engine interrupts it: a little shorter than `killMs`, so that people learn why. */
  runMs: 9_500,
  /** How long the process may live once it has started. */
  killMs: 10_000,
  /** How long the process may take to start, on a machine that is busy. */
  startMs: 30_000,
  /** How long a call may wait for others before it begins. */
  waitMs: 60_000,
  /** Calls of one person that may wait. */
  waiting: 16,
  /** Processes at once, on a node. */
  atOnce: 2,
} as const;

/** A file that the code has saved. */
export interface CodeFile {
  name: string;
  bytes: Uint8Array;
  /** What a picture shows, in words; empty if the code does not say it. */
  alt: string;
}

/** A file of the conversation that the code may read; `text` is what the service has read of a document. */
export interface CodeInput {
  name: string;
  bytes: Uint8Array;
  text?: string | undefined;
}

export interface CodeTask {
  code: string;
  files: readonly CodeInput[];
}

/** How code ended. Only what is `done` may keep files. */
export type CodeEnd = 'done' | 'threw' | 'timeout' | 'memory' | 'stopped';

export interface CodeOutcome {
  end: CodeEnd;
  /** What the code has printed, and what it returned or threw. */
  text: string;
  files: readonly CodeFile[];
}
