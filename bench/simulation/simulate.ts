import { percentile } from '../statistics.ts';
import { bytes, type Costs, measured, usual, type Workload } from './constants.ts';
import { type Design, GATHER_US } from './designs.ts';
import { EventQueue, poisson, randomFrom, Station } from './event-queue.ts';

export interface Setting {
  design: Design;
  nodes: number;
  workload?: Partial<Workload>;
  costs?: Partial<Costs>;
  /** Length of the simulated time. */
  seconds?: number;
  seed?: number;
}

/** Loads are shares of what one core, one lock or one server can do; above 1 its queue grows without end. */
export interface Outcome {
  /** From sending to the last socket of the conversation; infinite for messages that have not arrived after 300 ms. */
  p50Ms: number;
  p99Ms: number;
  sentPerSecond: number;
  /** The load of the core of a node, of the fullest row of the log, and of the fullest Redis. */
  node: number;
  row: number;
  redis: number;
  postgresCores: number;
  redisMegabytesPerSecond: number;
  /** Gigabytes that Redis needs for subscriptions. */
  redisGigabytes: number;
  /** Processor time of carrying a message, its typing and its answer to nodes without its people, and of Redis for it. */
  elsewhereUs: number;
  redisUs: number;
  /** Other nodes that hear whole events of a message, and the share of them that have its people. */
  heardBy: number;
  ofUse: number;
  /** Batches of transient events alone that a node takes in a second, of the node with the most. */
  transientBatches: number;
}

/** What waits to be sent, and how many batches are under way. */
interface Node {
  readonly core: Station;
  waiting: number[];
  batches: number;
  isNumbering: boolean;
  countedAt: number;
  /** When it next takes numbers for transient events alone; one timer waits for that, unless a batch is taking some. */
  numbersAt: number;
  hasTimer: boolean;
  transientBatches: number;
}

interface Batch {
  node: number;
  /** When its messages were sent. */
  sent: readonly number[];
  transients: number;
  numbered: boolean;
  /** Set after the commit. */
  committedAt?: number;
}

/** Units in a batch, as in `commits/engines`. */
const MAX_UNITS = 64;
/** A way over the network. */
const WAY_US = 100;
/** Time from the statement of a transient batch to the row of the log. */
const TRANSIENT_BEFORE_ROW_US = 300;
/** Processor time of PostgreSQL for an empty batch. */
const EMPTY_BATCH_US = 60;
/** Messages of the last part of the simulated time do not count for latencies: they had no time to arrive. */
const TAIL_US = 300_000;
/** Seconds between two signs of life of a socket (`sockets/sockets.ts`). */
const SIGN_OF_LIFE_S = 25;
/** The bytes in which a node reports one to all others, and what reading it costs them: estimates. */
const PRESENCE = { bytes: 22, us: 0.3 };

/** Plays some time of a cluster. */
export function simulate({ design, nodes: count, workload, costs, seconds = 1, seed = 1 }: Setting): Outcome {
  const work: Workload = { ...usual, ...workload };
  const cost: Costs = { ...measured, ...costs };
  const random = randomFrom(seed);
  const queue = new EventQueue();
  const end = 1e6 * seconds;
  const nodes = Array.from({ length: count }, (): Node => ({
    core: new Station(),
    waiting: [],
    batches: 0,
    isNumbering: false,
    countedAt: 0,
    numbersAt: random() * design.numbersUs,
    hasTimer: false,
    transientBatches: 0,
  }));
  const rows = Array.from({ length: design.rows }, () => new Station());
  const common = new Station();
  const shards = design.shards === 1 ? [common] : Array.from({ length: design.shards }, () => new Station());
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item; // never empty

  const perUs = (work.sockets * work.messagesPerHour) / 3_600e6;
  const transientsPerMessage = work.typing + work.answered * work.deltas;
  /** Conversations with a socket on a node, and the share of the nodes that hear of another's because of its bucket. */
  const chats = (work.sockets * work.conversations) / work.members;
  const apart = 1 + (work.members - 1) * (1 - work.together);
  const chatsOfNode = chats * (1 - (1 - 1 / count) ** apart);
  const strangers =
    design.common === 'whole' || design.channels === Infinity ? 0 : 1 - (1 - 1 / design.channels) ** chatsOfNode;

  const latencies: number[] = [];
  let due = 0;
  const total = { sent: 0, elsewhere: 0, redisBytes: 0, heard: 0, useful: 0, postgres: 0 };

  /** A publication: Redis gives it to `receivers` nodes; returns when they have it. */
  const carry = (redis: Station, at: number, receivers: number, size: number): number => {
    total.redisBytes += size * (receivers + 1);
    const each = cost.deliver + (size / 1_000) * cost.deliverKilobyte;
    return redis.take(at + WAY_US, cost.publish + receivers * each) + WAY_US;
  };
  const hearing = (size: number): number => cost.hear + (size / 1_000) * cost.hearKilobyte;
  /** How many sockets of a conversation each node has; one of them on the sender's node. */
  const placed = (sender: number): Map<number, number> => {
    const found = new Map([[sender, 1]]);
    for (let member = 1; member < work.members; member += 1) {
      const node = random() < work.together ? sender : Math.floor(random() * count);
      found.set(node, (found.get(node) ?? 0) + 1);
    }
    return found;
  };
  const everyOther = (sender: number, at: number, us: number): void => {
    if (us > 0) nodes.forEach(({ core }, node) => node !== sender && core.take(at, us));
  };

  /** Gathered lines: their scopes, and what waits for them. */
  let gathered = 0;
  const held: ((at: number) => void)[] = [];
  const tick = (now: number): void => {
    queue.add(now + GATHER_US, tick);
    if (gathered === 0) return;
    const size = bytes.lineHead + gathered * bytes.lineScope;
    const at = carry(common, now, count, size);
    everyOther(-1, at, hearing(size) + gathered * cost.lookUp);
    total.elsewhere += count * (hearing(size) + gathered * cost.lookUp);
    gathered = 0;
    for (const deliver of held.splice(0)) deliver(at);
  };
  if (design.common === 'gathers') queue.add(GATHER_US, tick);

  const publish = (batch: Batch, now: number): void => {
    const { node: sender, sent, transients } = batch;
    const events = sent.length + transients;
    const places = Array.from({ length: events }, () => placed(sender));
    const sizes = places.map((_, at) => (at < sent.length ? bytes.message : bytes.transient));
    const elsewhere = count - 1;
    let lineAt = now;
    if (design.common === 'whole') {
      const size = bytes.lineHead + sizes.reduce((sum, one) => sum + one, 0);
      lineAt = carry(common, now, elsewhere, size);
      const us = hearing(size) + events * cost.apply;
      everyOther(sender, lineAt, us);
      const involved = new Set(places.flatMap((place) => [...place.keys()]));
      total.elsewhere += us * (count - involved.size);
      total.heard += elsewhere * events;
      total.useful += places.reduce((sum, place) => sum + place.size - 1, 0);
    } else if (design.common === 'line') {
      const size = bytes.lineHead + events * bytes.lineScope;
      lineAt = carry(common, now, elsewhere, size);
      const us = hearing(size) + events * cost.lookUp;
      everyOther(sender, lineAt, us);
      total.elsewhere += us * elsewhere;
    } else if (design.common === 'gathers') {
      const size = bytes.lineHead + events * bytes.lineScope;
      lineAt = carry(common, now, 1, size);
      gathered += events;
    }
    const frames: ((at: number) => void)[] = [];
    places.forEach((place, event) => {
      const size = sizes[event] ?? 0;
      let at = lineAt;
      if (design.common !== 'whole') {
        const receivers = place.size - 1 + strangers * (count - place.size);
        at = Math.max(at, carry(pick(shards), now, receivers, size));
        const us = hearing(size) + cost.apply;
        everyOther(sender, at, strangers * us);
        total.elsewhere += strangers * (count - place.size) * us;
        total.heard += receivers;
        total.useful += place.size - 1;
        for (const node of place.keys()) if (node !== sender) nodes[node]?.core.take(at, us);
      }
      frames.push((heardAt) => {
        let last = 0;
        for (const [node, sockets] of place)
          last = Math.max(last, nodes[node]?.core.take(Math.max(at, heardAt), sockets * cost.frame) ?? 0);
        const since = sent[event];
        if (since !== undefined && since <= end - TAIL_US) latencies.push(last <= end ? last - since : Infinity);
      });
    });
    const deliver = (at: number): void => queue.add(at, (heardAt) => frames.forEach((frame) => frame(heardAt)));
    if (design.common === 'gathers') held.push(deliver);
    else deliver(lineAt);
  };

  /** The batches that are not committed, in the order of their numbers. */
  const begun: Batch[] = [];
  const committed = (batch: Batch, now: number): void => {
    const node = nodes[batch.node];
    if (!node) return;
    if (batch.sent.length > 0) node.batches -= 1;
    if (batch.numbered) {
      node.isNumbering = false;
      node.numbersAt = now + design.numbersUs;
      wait(batch.node);
    }
    start(batch.node, now);
    if (design.order === 'row' || design.rows > 1) return publish(batch, now);
    batch.committedAt = now;
    for (let first = begun[0]; first?.committedAt !== undefined; first = begun[0]) {
      begun.shift();
      publish(first, now);
    }
    return undefined;
  };

  const run = (batch: Batch, now: number): void => {
    const { core } = nodes[batch.node] ?? { core: new Station() };
    const { length } = batch.sent;
    total.postgres += length === 0 ? EMPTY_BATCH_US : length * cost.sendPostgres;
    if (design.order === 'blocks') begun.push(batch);
    const ready = core.take(now, length * cost.sendNode + cost.hear);
    queue.add(ready + (length === 0 ? TRANSIENT_BEFORE_ROW_US : cost.beforeRow), (at) => {
      if (design.order === 'early' && design.rows === 1) begun.push(batch);
      const isFlushed = length > 0;
      const holds =
        (isFlushed && design.order === 'row' ? cost.rowDurable : cost.rowTransient) + length * cost.rowEvent;
      const done = design.order === 'blocks' ? at + holds : pick(rows).take(at, holds);
      // Batches that are flushed at the same time share a flush.
      const flushed = isFlushed && design.order !== 'row' ? done + cost.rowDurable : done;
      queue.add(flushed, (then) => committed(batch, then));
    });
  };
  /** Transient events of a node since it last took numbers, unless a batch is taking some. */
  const take = (node: Node, now: number): number => {
    if (node.isNumbering) return 0;
    const mean = ((now - node.countedAt) * perUs * transientsPerMessage) / count;
    node.countedAt = now;
    return poisson(mean, random);
  };
  const start = (at: number, now: number): void => {
    const node = nodes[at];
    while (node && node.batches < design.writers && node.waiting.length > 0) {
      const sent = node.waiting.splice(0, MAX_UNITS);
      node.batches += 1;
      const transients = take(node, now);
      const numbered = transients > 0;
      node.isNumbering ||= numbered;
      run({ node: at, sent, transients, numbered }, now);
    }
  };
  const number = (at: number, now: number): void => {
    const node = nodes[at];
    if (!node) return;
    node.hasTimer = false;
    if (node.isNumbering) return;
    // A durable batch has taken some meanwhile.
    if (now < node.numbersAt) return wait(at);
    const transients = take(node, now);
    if (transients === 0) {
      node.numbersAt = now + design.numbersUs;
      return wait(at);
    }
    node.isNumbering = true;
    node.transientBatches += 1;
    return run({ node: at, sent: [], transients, numbered: true }, now);
  };
  const wait = (at: number): void => {
    const node = nodes[at];
    if (!node || node.hasTimer) return;
    node.hasTimer = true;
    queue.add(node.numbersAt, (now) => number(at, now));
  };
  nodes.forEach((_, at) => wait(at));
  const send = (now: number): void => {
    queue.add(now - Math.log(1 - random()) / perUs, send);
    total.sent += 1;
    if (now <= end - TAIL_US) due += 1;
    const at = Math.floor(random() * count);
    nodes[at]?.waiting.push(now);
    start(at, now);
  };
  queue.add(0, send);
  queue.runUntil(end);
  while (latencies.length < due) latencies.push(Infinity);

  const { connects, signs } = {
    connects: (work.sockets * work.connectsPerHour) / 3_600,
    signs: work.sockets / SIGN_OF_LIFE_S,
  };
  const subscriptions = design.common === 'whole' ? 0 : Math.min(work.conversations, design.channels) * connects;
  const presenceBytes = count > 1 ? signs * PRESENCE.bytes * count : 0;
  const ownRedis = subscriptions * seconds * cost.subscribe + (presenceBytes * seconds * cost.deliverKilobyte) / 1_000;
  const load = (stations: readonly Station[], more = 0): number =>
    (Math.max(...stations.map(({ busy }) => busy)) + more) / end;
  const redisStations = new Set([common, ...shards]);
  const redisBusy = [...redisStations].reduce((sum, { busy }) => sum + busy, 0);
  const nodeBusy = nodes.reduce((sum, { core }) => sum + core.busy, 0) / count;
  const perMessage = (sum: number): number => sum / Math.max(1, total.sent);
  return {
    p50Ms: (percentile(latencies, 0.5) ?? Number.NaN) / 1_000,
    p99Ms: (percentile(latencies, 0.99) ?? Number.NaN) / 1_000,
    sentPerSecond: total.sent / seconds,
    node: (nodeBusy + (count > 1 ? signs * PRESENCE.us * seconds : 0)) / end,
    row: load(rows),
    redis: load([...redisStations], ownRedis),
    postgresCores: total.postgres / end,
    redisMegabytesPerSecond: (total.redisBytes / seconds + presenceBytes) / 1e6,
    redisGigabytes:
      design.common === 'whole' ? 0 : (count * Math.min(chatsOfNode, design.channels) * bytes.subscription) / 1e9,
    elsewhereUs: perMessage(total.elsewhere),
    redisUs: perMessage(redisBusy),
    heardBy: perMessage(total.heard),
    ofUse: total.heard === 0 ? 1 : total.useful / total.heard,
    transientBatches: Math.max(...nodes.map(({ transientBatches }) => transientBatches)) / seconds,
  };
}
