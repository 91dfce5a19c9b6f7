// power-cut/: what a power cut leaves of the embedded engine's files. A real service runs while a library in its process
// records its writes and flushes (recorder.c) and its clients what they receive. Then the disk is rebuilt as of many
// points of that recording (disk.ts), and what is found there is compared with what clients had received (judge.ts).
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { use } from '../programs/programs.ts';
import type { Actor, Watcher } from '../world/actor.ts';
import { encodeReceived, type Received } from './recording.ts';

const SOURCE = fileURLToPath(new URL('./recorder.c', import.meta.url));
/**
 * How long each flush takes. An answer reaches its client sooner: if the service sends one during the flush, the client
 * records it before the flush ends.
 */
const FLUSH_US = 10_000;

/**
 * Records what clients receive, in the same file as the library records what the service does.
 *
 * A client records after it has received, so possibly after a flush that ended in between: then an answer that was sent
 * too early would look timely. That is why flushes are made slow. The reverse cannot happen: an answer that was sent in
 * time never looks early.
 */
export class Recorder implements Watcher {
  readonly file: string;
  readonly #library: string;
  readonly #fd: number;

  /** Compiles the library into the folder, and records into a file there. */
  constructor(folder: string) {
    this.#library = join(folder, 'recorder.so');
    execFileSync(use('cc'), ['-shared', '-fPIC', '-O1', '-Wall', '-o', this.#library, SOURCE, '-ldl']);
    this.file = join(folder, 'recording');
    this.#fd = openSync(this.file, 'a');
  }

  /** The environment of a service that is to be recorded. */
  env(dataDir: string): Record<string, string> {
    return {
      LD_PRELOAD: this.#library,
      POWER_CUT_FOLDER: dataDir,
      POWER_CUT_RECORDING: this.file,
      POWER_CUT_FLUSH_US: String(FLUSH_US),
    };
  }

  begin(): number {
    return 0;
  }

  read({ username }: Actor, text: string): void {
    this.note({ by: username, text });
  }

  note(received: Received): void {
    writeSync(this.#fd, encodeReceived(received));
  }

  close(): void {
    closeSync(this.#fd);
  }
}
