import type { OperationName } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { holdsFileUrls } from '../files/signatures.ts';
import { type Coding, codingFor } from './codings.ts';

/** Minimum length of an answer that is compressed: a shorter one is sent in a packet or two either way. */
const MIN_BYTES = 2_048;

/**
 * The reads whose answers are long and hold no secret: no token, no key. Compressed together with text that somebody
 * else chooses, a secret could be read off the length of the answer (BREACH), so no other operation is listed.
 */
const packable: ReadonlySet<OperationName> = new Set([
  'browseChats',
  'getBotCommands',
  'getChat',
  'getChatHistory',
  'getChatMedia',
  'getChats',
  'getDrafts',
  'getInbox',
  'getMembers',
  'getMessageReaders',
  'getMessages',
  'getPresence',
  'getUnreadMentions',
  'getUpdates',
  'getUsers',
  'searchChats',
  'searchMessages',
]);

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
const packers: Readonly<Record<Coding, (bytes: string | Buffer) => Promise<Buffer>>> = {
  // The lowest levels: the next ones take twice the time and save a fiftieth.
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (bytes) => gzipped(bytes, { level: 1 }),
};

/**
 * Compresses an answer in a thread of Node's pool, and sets the headers that say so (TRANS-17). Returns it as it is if
 * that gains nothing, or if it holds a signed address of a file.
 */
export async function packAnswer(
  name: OperationName,
  answer: string | Buffer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | Buffer> {
  if (!packable.has(name)) return answer;
  reply.header('vary', 'accept-encoding, origin');
  if (answer.length < MIN_BYTES) return answer;
  const coding = codingFor(request);
  if (coding === undefined || holdsFileUrls(answer.toString())) return answer;
  const packed = await packers[coding](answer);
  if (packed.length >= answer.length) return answer;
  reply.header('content-encoding', coding);
  return packed;
}
