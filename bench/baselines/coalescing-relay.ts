import type { Member } from './relay.ts';
import { runRelay } from './relay.ts';

/**
 * The upper bound that the generator and the kernel allow: this relay stores and checks nothing, tracks no reader's
 * position, and writes everything received for a room in one tick of the event loop as one shared buffer.
 */
const pending = new Map<ReadonlySet<Member>, Buffer[]>();
const replies = new Map<Member, Buffer[]>();

function frame(value: object): Buffer {
  const payload = Buffer.from(JSON.stringify(value));
  if (payload.length < 126) return Buffer.concat([Buffer.from([0x81, payload.length]), payload]);
  const header = Buffer.from([0x81, 126, 0, 0]);
  header.writeUInt16BE(payload.length, 2);
  return Buffer.concat([header, payload]);
}

function later<Key>(queue: Map<Key, Buffer[]>, key: Key, bytes: Buffer): void {
  if (pending.size === 0 && replies.size === 0) setImmediate(flush);
  const queued = queue.get(key);
  if (queued) queued.push(bytes);
  else queue.set(key, [bytes]);
}

function flush(): void {
  for (const [members, frames] of pending) {
    const shared = Buffer.concat(frames);
    for (const { stream } of members) stream.write(shared);
  }
  for (const [{ stream }, frames] of replies) stream.write(Buffer.concat(frames));
  pending.clear();
  replies.clear();
}

runRelay({
  broadcast: (members, event) => later(pending, members, frame(event)),
  reply: (member, reply) => later(replies, member, frame(reply)),
});
