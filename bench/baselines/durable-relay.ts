import { fdatasync, openSync, writeSync } from 'node:fs';
import { runRelay } from './relay.ts';

/**
 * The least that a durable chat server costs on this disk: a naive relay that writes each message to a file, and sends
 * it when the file is flushed. Messages that arrive during a flush share the next one.
 */
const path = process.argv.find((argument) => argument.startsWith('--file='))?.slice('--file='.length) ?? '';
/** The file is written once and then overwritten in turn, like a write-ahead log: a growing file is slower to flush. */
const FILE_BYTES = 16 * 1024 * 1024;

const descriptor = openSync(path, 'w');
writeSync(descriptor, Buffer.alloc(FILE_BYTES));
let position = 0;
let waiting: (() => void)[] = [];
let isFlushing = false;

function write(text: string): void {
  const bytes = Buffer.from(text);
  if (position + bytes.length > FILE_BYTES) position = 0;
  position += writeSync(descriptor, bytes, 0, bytes.length, position);
}

function whenFlushed(send: () => void): void {
  waiting.push(send);
  if (!isFlushing) flush();
}

function flush(): void {
  const flushed = waiting;
  waiting = [];
  isFlushing = flushed.length > 0;
  if (!isFlushing) return;
  fdatasync(descriptor, (error) => {
    if (error) throw error;
    for (const send of flushed) send();
    flush();
  });
}

runRelay({
  broadcast(members, event) {
    const text = JSON.stringify(event);
    write(text);
    whenFlushed(() => {
      for (const { socket } of members) socket.send(text);
    });
  },
  reply: ({ socket }, reply) => whenFlushed(() => socket.send(JSON.stringify(reply))),
});
