import { ApiError } from '@parley/client';
import { UNNAMED } from '@parley/server/core/held-thread.ts';
import { compareAll } from '../model/follower.ts';
import { createWorld, type LogLine, type World, type WorldOptions } from '../world/world.ts';
import { nodesByDefault } from '../world/nodes-by-default.ts';
import { type Act, acts } from './acts.ts';
import { Cast } from './cast.ts';
import { daemonActs } from './daemon-acts.ts';
import { Random } from './random.ts';
import { upheavals } from './upheavals.ts';
import { Witness } from './witness.ts';

interface SimulationOptions {
  seed: number;
  operations: number;
  /** A world shared with other simulations; by default a new one. */
  world?: World;
}

/** Counts of what happened. */
export interface SimulationReport {
  operations: number;
  refused: number;
  frames: number;
  /** Frames that clients fetched because they missed them. */
  fetched: number;
  /** How often a client reloaded everything, or requested a snapshot of a reply that it lost track of. */
  reloads: number;
  snapshots: number;
}

/** Relative frequencies of acts and upheavals. */
const weights = {
  send: 30, mentionAgent: 2, mentionBot: 3, sendTwice: 4, look: 4, edit: 8, delete: 8, hide: 3, react: 16, pin: 8, draft: 8,
  type: 6, focus: 6, markRead: 6, mute: 2, keepState: 4, clear: 1, stop: 2, regenerate: 3, chooseVersion: 2, createChannel: 3, deleteChannel: 1, title: 1, describe: 1,
  ask: 5, decide: 5, decideTogether: 2, withdraw: 1,
} satisfies Record<keyof typeof acts, number>; // prettier-ignore
const daemonWeights = { startReply: 5, append: 12, replace: 3, think: 6, part: 6, finish: 3 } satisfies Record<
  keyof typeof daemonActs,
  number
>;
const upheavalWeights = {
  addMember: 5, removeMember: 2, leave: 1, join: 2, setRole: 3, addAgent: 3, removeAgent: 1, startDirect: 4, startGroup: 1,
  startSeparate: 1, deleteSeparate: 0.5,
  drop: 12, reconnect: 14, pause: 6, resume: 6, flood: 0.5, index: 0.7, trim: 0.5, restart: 0.6, crash: 0.6, checkpoint: 1.5,
} satisfies Record<keyof typeof upheavals, number>; // prettier-ignore

const UPHEAVAL_CHANCE = 0.2;
const MAX_AT_ONCE = 5;

/** A world for simulations; with several nodes it has three. */
export const createSimulated = (options: WorldOptions = {}): Promise<World> =>
  createWorld({ ...options, ...(nodesByDefault() > 0 && { nodes: 3 }) });

/**
 * Plays one seed; throws, with the seed in the message, if a client's state differs from a fresh fetch, or if a named
 * callback of the service held its thread (OPS-7).
 */
export async function simulate({ seed, operations, world }: SimulationOptions): Promise<SimulationReport> {
  const own = world ?? (await createSimulated());
  const history: string[] = [];
  const logged = own.logs.length;
  try {
    const report = await play(own, seed, operations, history);
    const held = own.logs.slice(logged).filter(heldByService);
    if (held.length > 0) throw new Error(held.map((line) => JSON.stringify(line)).join('\n'));
    return report;
  } catch (error) {
    const lines = [...history.slice(-60), ...own.errors.slice(-3)].join('\n');
    const call = `simulate({ seed: ${seed}, operations: ${operations} })`;
    throw new Error(`${call} failed: ${String(error)}\nafter:\n${lines}`, { cause: error });
  } finally {
    own.watcher = undefined;
    if (!world) await own.close();
  }
}

/** Lines of OPS-7. What has no name may be of the test's own clients, which share the main thread with the service. */
const heldByService = ({ msg, name }: LogLine): boolean => msg === 'a callback held the thread' && name !== UNNAMED;

async function play(world: World, seed: number, operations: number, history: string[]): Promise<SimulationReport> {
  const random = new Random(seed);
  const witness = new Witness();
  const cast = await Cast.gather(world, random, witness, `s${seed}`);
  let done = 0;
  let refused = 0;
  const perform = async (name: string, act: Act): Promise<void> => {
    done += 1;
    try {
      history.push(`${done} ${name}: ${(await act(cast)) ?? 'nobody could'}`);
    } catch (error) {
      // The act was not permitted, or another actor undid it at the same time.
      if (!(error instanceof ApiError) || ![403, 404, 409].includes(error.status)) throw error;
      refused += 1;
      history.push(`${done} ${name}: refused, ${error.message}`);
    }
    if (witness.problems.length > 0) throw new Error(witness.problems.join('\n'));
  };
  while (done < operations) {
    if (random.chance(UPHEAVAL_CHANCE)) {
      const name = random.weighted(upheavalWeights);
      await perform(name, upheavals[name]);
      continue;
    }
    const together = random.chance(0.5) ? 1 : 1 + random.below(MAX_AT_ONCE);
    const writing = random.chance(0.35) ? random.weighted(daemonWeights) : undefined;
    await Promise.all([
      ...(writing ? [perform(writing, daemonActs[writing])] : []),
      ...Array.from({ length: together }, () => {
        const name = random.weighted(weights);
        return perform(name, acts[name]);
      }),
    ]);
  }
  for (const follower of cast.followers) if (!follower.socket?.isOpen) await follower.connect();
  await world.turnsEnded();
  await cast.settle();
  await compareAll(cast.followers);
  await checkNeeds(cast);
  if (witness.problems.length > 0) throw new Error(witness.problems.join('\n'));
  for (const { id } of cast.streams) await cast.bot.api.finishMessageStream({ message_id: id }).catch(() => {});
  for (const follower of cast.followers) await follower.drop();
  const sum = (count: (follower: (typeof cast.followers)[number]) => number) =>
    cast.followers.reduce((total, follower) => total + count(follower), 0);
  return {
    operations: done,
    refused,
    frames: sum(({ handled, recovered }) => handled + recovered.frames),
    fetched: sum(({ recovered }) => recovered.frames),
    reloads: sum(({ recovered }) => recovered.reloads),
    snapshots: sum(({ recovered }) => recovered.snapshots),
  };
}

/** The counts, the inbox and the list of decisions of each person say the same (DECIDE-10, DECIDE-13, INBOX-11). */
async function checkNeeds({ people, outcomes }: Cast): Promise<void> {
  for (const { username, api } of people) {
    const chats = (await api.getChats({ limit: 100 })).items;
    const needs = chats.flatMap(({ open_decisions: open }) => open).toSorted();
    const counted = chats.reduce((sum, { needs_you: count }) => sum + count, 0);
    const inbox = (await api.getInbox({ limit: 100 })).items.filter(({ reason }) => reason === 'decision');
    const items = inbox.map(({ message_id: id }) => id).toSorted();
    const listed = (await api.getDecisions({ limit: 100 })).items;
    const said = JSON.stringify({ needs, counted, items });
    if (counted !== needs.length || String(items) !== String(needs))
      throw new Error(`the decisions of ${username} are counted in several ways: ${said}`);
    for (const { id, decision } of listed) {
      const outcome = `${decision?.state} ${decision?.decided_by} ${decision?.option}`;
      if (outcome !== (outcomes.get(id) ?? outcome))
        throw new Error(`${id} was ${outcomes.get(id)}, and is ${outcome}`);
    }
  }
}
