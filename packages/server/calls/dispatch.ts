// calls/: what happens around every call: authentication, parsing, rate limits, the queue of units.
import { type OperationName, type OperationPolicy, operations, TOO_LARGE } from '@parley/protocol';
import type { z } from 'zod';
import type { Caller } from '../access/call.ts';
import { addsData, type Handler, type HeldState, type ReadCall, type ReadOperation } from '../operations/handler.ts';
import type { OtherNodes } from './other-nodes.ts';
import { ownerOf } from '../core/byte-budget.ts';
import { ServiceError, unavailable } from '../core/errors.ts';
import { thisThread } from '../core/held-thread.ts';
import { renderJson } from '../core/json.ts';
import { handlers } from '../operations/index.ts';
import type { OpenCall } from '../operations/handler.ts';
import type { Rooms } from '../operations/rooms.ts';
import type { Clock } from '../core/clock.ts';
import type { DiskSpace } from '../core/disk-space.ts';
import type { Settings } from '../core/settings.ts';
import type { Awaitable } from '../store/sql.ts';
import type { ArrivalLimits } from './arrival-limits.ts';
import { assertNoSecrets } from './token-scopes.ts';
import { assertMayCall } from './may-call.ts';
import { addressBlock, isCounted, type RatedCall, type RateLimits } from './rate-limits.ts';
import { assertStaysInChats, inputWithin } from './chat-limited-input.ts';
import { leavesOut, pageWithin } from './chat-limited-pages.ts';
import { noteRefusal } from './note-refusal.ts';
import type { TokenUses } from './token-uses.ts';
import type { UnitQueue } from './unit-queue.ts';
import { theService } from './unit-queue.ts';
import type { Act, WriteOrder } from '../sockets/write-order.ts';

/** An operation on its way to the node that has its open reply, inline query or socket. */
export interface Forwarded {
  name: OperationName;
  input: object;
  caller: Caller;
  /** When the calling socket was opened; null over HTTP. */
  socketOpenedAt: number | null;
}

/** Forwards an operation to the node that has what it works on; returns undefined if that is this node. */
export type Forward = (state: HeldState, forwarded: Forwarded) => Promise<string | undefined> | undefined;

/** The parts of the service that a handler uses. */
type HandlerPorts = Pick<CallPorts, 'rooms' | 'settings' | 'clock'>;

/** The parts of the service that a call uses, from the transports to its handler. */
interface CallPorts {
  readonly rooms: Rooms;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly units: UnitQueue;
  /** Null where rate limits are off. */
  readonly rateLimits: RateLimits | null;
  /** Null where rate limits are off. */
  readonly arrivals: ArrivalLimits | null;
  readonly tokenUses: TokenUses;
  readonly disk: DiskSpace;
  readonly others: OtherNodes;
  /** Null in a single process. */
  readonly forward: Forward | null;
  /** True while the service stops. */
  readonly isDraining: boolean;
}

/** The caller of an operation and its socket. `caller` is null only for open operations. */
export interface Origin {
  caller: Caller | null;
  address: string;
  socketId?: string;
  /** The cookie of a browser that has begun a sign-in at an issuer. */
  browser?: string | undefined;
  /** Keeps the order of writes of the same socket. */
  order?: WriteOrder;
  /** `admitCall` has counted the call, because its body is expensive to read. */
  isAdmitted?: true;
}

/**
 * Counts a call towards the rates of its operation, or throws rate_limited. It comes before the fields are checked, so
 * that a call with bad fields counts like any other (LIMIT-28). `posts` is false for a call that will post no message.
 */
export function admitCall(
  { rateLimits, clock }: Pick<CallPorts, 'rateLimits' | 'clock'>,
  name: OperationName,
  params: unknown,
  origin: Origin,
  posts = true,
): Awaitable<void> {
  return rateLimits?.admit(ratedCall(name, params, origin, posts), clock.monotonic());
}

export function ratedCall(
  name: OperationName,
  params: unknown,
  { caller, address }: Origin,
  posts: boolean,
): RatedCall {
  const handler: Handler = handlers[name];
  const count = handler.kind === 'unit' ? handler.messageCount?.(params) : undefined;
  return { rate: operations[name].policy.rate, params, caller, address, messages: posts ? Math.max(1, count ?? 1) : 0 };
}

/**
 * Runs one call of an operation, from either transport: rate limits → parse → (prepare) → handle → (respond). Returns
 * JSON text in which file URLs are signed for the caller (FILE-5).
 */
export async function dispatch(
  ports: CallPorts,
  name: OperationName,
  params: unknown,
  origin: Origin,
): Promise<string | undefined> {
  let text: string | undefined;
  try {
    text = await thisThread.run(name, () => answer(ports, name, params, origin));
  } catch (error) {
    await noteRefusal(ports, { name, params, address: origin.address }, error);
    throw error;
  }
  if (text === undefined || !origin.caller) return text;
  const { chatIds } = origin.caller.grant ?? {};
  if (chatIds) {
    // They were parsed, so they are an object, and a limit is a number.
    const asked = { ...(params as object) };
    const { limit = 0 } = operations[name].input.parse(asked) as { limit?: number };
    const isWithin = limit === 0 || leavesOut.has(name) || 'chat_id' in asked || 'message_id' in asked;
    const readFrom = (cursor: string | undefined, most: number) =>
      answer(ports, name, { ...asked, cursor, limit: most }, { ...origin, isAdmitted: true });
    text = await pageWithin(ports.rooms.read, new Set(chatIds), text, { isWithin, limit, readFrom });
  }
  const { files, callContents } = ports.rooms;
  // What getUpdates answers are events, which name calls of tools only (CALL-14).
  const filled = name === 'getUpdates' ? text : await callContents.fill(text, origin.caller.key);
  return files.urls.sign(filled, origin.caller.key);
}

async function answer(
  ports: CallPorts,
  name: OperationName,
  params: unknown,
  origin: Origin,
): Promise<string | undefined> {
  const { caller, address, socketId, order } = origin;
  if (ports.isDraining) throw unavailable('the service is stopping');
  const countRefusal = () => ports.arrivals?.countRefusal(ownerOf(caller, addressBlock(address)));
  try {
    assertMayCall(name, caller, ports.clock.now());
    if (caller?.grant) assertNoSecrets(name, params);
  } catch (error) {
    countRefusal();
    throw error;
  }
  if (caller?.grant) ports.tokenUses.note(caller.grant.key, ports.clock.monotonic());
  const { open }: OperationPolicy = operations[name].policy;
  const handler: Handler = handlers[name];
  const posts = handler.kind === 'unit' ? handler.posts : undefined;
  const admit = (mayPost = true) => (origin.isAdmitted ? undefined : admitCall(ports, name, params, origin, mayPost));
  // A promise only if the nodes share their rate limits; otherwise there is nothing to await.
  const admitted = posts ? undefined : admit();
  // A call that is refused for another reason meanwhile does not wait for it.
  admitted?.catch(() => {});
  const parsed = operations[name].input.safeParse(params ?? {});
  if (!parsed.success) {
    await (posts ? admit(false) : admitted);
    if (!isCounted(ratedCall(name, params, origin, false))) countRefusal();
    throw toInputError(parsed.error.issues[0]);
  }
  let input: object = parsed.data;
  const chatIds = caller?.grant?.chatIds;
  if (chatIds) assertStaysInChats(name, input);
  const limitInput = async () => {
    if (chatIds && caller)
      input = await inputWithin(ports.rooms.read, { chatIds: new Set(chatIds), accountKey: caller.key }, input);
  };
  if (ports.disk.isFull && addsData(handler, input)) throw unavailable('the disk is full; try again later');
  // A socket already shows that its bot is alive, so only calls over HTTP are reported.
  if (caller?.kind === 'agent' && socketId === undefined) {
    ports.rooms.streams.botCalled(caller.key);
    ports.others.botCalled(caller.key);
  }
  const { rooms } = ports;
  const by = caller ?? theService;
  const socketOpenedAt =
    (socketId === undefined ? undefined : ports.rooms.sockets.find(socketId)?.connection.openedAt) ?? null;
  const call = () => readCall(ports, by, { address, socketId, socketOpenedAt });
  if (handler.kind === 'read') {
    if (admitted) await admitted;
    if (chatIds) await limitInput();
    const act = (): Act<string | undefined> => {
      const state = handler.worksOn?.(input);
      const away = state && ports.forward?.(state, { name, input, caller: by, socketOpenedAt });
      return { done: away ?? perform(name, handler, call(), input, rooms), takesTime: ports.forward !== null };
    };
    return order && handler.isWrite ? order.follow(act) : act().done;
  }
  const write = (prepared?: unknown) => {
    const given = handler.withheld ? without(input, handler.withheld) : input;
    const written = ports.units.run(name, by, given, ports.clock.now(), { prepared, socketId, address });
    return order ? order.note(written) : written;
  };
  let text: string | undefined;
  const isReady = !handler.prepare || handler.isReady?.(input) === true;
  if (isReady && !admitted && !posts && !chatIds) {
    if (order?.pending) await order.pending;
    text = await write();
  } else {
    const { read: tx, accounts } = rooms;
    const { browser } = origin;
    const opened: OpenCall = {
      tx,
      accounts,
      caller,
      address,
      browser,
      now: ports.clock.now(),
      settings: ports.settings,
    };
    const prepare = async () => {
      if (admitted) await admitted;
      if (chatIds) await limitInput();
      if (posts) await admit(await posts(call(), input));
      return isReady ? undefined : handler.prepare?.(opened, input, rooms);
    };
    // Open operations do not wait for the earlier calls of the socket: they open another session.
    text = await (order && !open ? order.run(prepare, write) : write(await prepare()));
  }
  if (!handler.respond) return text;
  const answered = await handler.respond(call(), text === undefined ? undefined : JSON.parse(text), rooms);
  await rooms.flushed();
  return thisThread.run(name, () => renderJson(answered));
}

const readCall = (
  ports: HandlerPorts,
  caller: Caller,
  from: Pick<ReadCall, 'address' | 'socketId' | 'socketOpenedAt'>,
): ReadCall => ({
  caller,
  tx: ports.rooms.read,
  accounts: ports.rooms.accounts,
  now: ports.clock.now(),
  settings: ports.settings,
  ...from,
});

async function perform(
  name: OperationName,
  handler: ReadOperation,
  call: ReadCall,
  input: object,
  rooms: Rooms,
): Promise<string | undefined> {
  // The input was parsed by this operation's declaration.
  const result = await handler.handle(call, input, rooms);
  await rooms.flushed();
  return result === undefined ? undefined : thisThread.run(name, () => renderJson(result));
}

/** Runs an operation that another node admitted and forwarded, because its state is on this node (CLUSTER-4). */
export async function performHere(
  ports: HandlerPorts,
  name: OperationName,
  input: object,
  caller: Caller,
  socketOpenedAt: number | null,
) {
  const handler: Handler = handlers[name];
  if (handler.kind !== 'read') throw new Error(`${name} is a unit and is never forwarded`);
  const call = readCall(ports, caller, { address: '', socketId: undefined, socketOpenedAt });
  return perform(name, handler, call, input, ports.rooms);
}

/** Removes fields that only `prepare` may see, so that they do not reach the store (AUTH-5, KEY-4). */
const without = (input: object, fields: readonly string[]): object =>
  Object.fromEntries(Object.entries(input).filter(([field]) => !fields.includes(field)));

/** Of a value that is none of several kinds: what is wrong within it, if it is nearly one of them. */
function withinUnion(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  const within = issue.code === 'invalid_union' ? issue.errors.flat().find(({ path }) => path.length > 0) : undefined;
  return within ? { ...within, path: [...issue.path, ...within.path] } : issue;
}

/** invalid_argument or too_large with the field's name (ERR-3, ERR-4). */
function toInputError(found: z.core.$ZodIssue | undefined): ServiceError {
  const issue = found && withinUnion(found);
  const field = issue?.path.map(String).join('.') ?? '';
  if (issue?.message === TOO_LARGE)
    return new ServiceError('too_large', `${field} is too large`, field === '' ? undefined : { field });
  if (field === '') return new ServiceError('invalid_argument', 'the body must be a JSON object', { field: 'body' });
  return new ServiceError('invalid_argument', `${field}: ${issue?.message ?? 'invalid'}`, { field });
}
