import { type ChildProcess, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';

type Pair = readonly [pid: number, parent: number];

/** The processes that a process has started and that still run. */
export const childrenOf = ({ pid }: ChildProcess): number[] =>
  (process.platform === 'linux' ? fromProc() : fromPs()).flatMap(([child, parent]) => (parent === pid ? [child] : []));

/** Not every Linux has ps. The file reads `pid (name) state parent …`, and a name may contain anything. */
const fromProc = (): Pair[] =>
  globSync('/proc/[0-9]*/stat').flatMap((file) => {
    try {
      const [, pid, parent] = /^(\d+) \([^]*\) \w (\d+) /.exec(readFileSync(file, 'utf8')) ?? [];
      return [[Number(pid), Number(parent)]];
    } catch {
      return []; // It has ended meanwhile.
    }
  });

function fromPs(): Pair[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    return pid === undefined || parent === undefined ? [] : [[pid, parent]];
  });
}
