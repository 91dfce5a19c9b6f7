import { resolve } from 'node:path';
import { startInProcess } from './in-process.ts';
import { Parley, type TestAccount } from './parley.ts';
import { ServiceProcess } from './service-process.ts';

export interface GroupSeed {
  title: string;
  /** Usernames of people and bots; the first person owns the group. */
  members: readonly string[];
}

export interface ParleyOptions {
  /** The folder of a checkout of Parley in which `npm ci` has run; by default the environment's `PARLEY_CHECKOUT`. */
  checkout?: string;
  /**
   * Runs the service in this process: the first one loads its code, the others start in half the time. This process must
   * run on a Node that is at least as new as the checkout's.
   */
  inProcess?: boolean;
  /** Settings of the service, as in its `.env.example`. */
  env?: Readonly<Record<string, string>>;
  /** Usernames of people to create. */
  users?: readonly string[];
  /** Bots to create, as `owner:slug`. */
  bots?: readonly string[];
  /** Groups to create. */
  groups?: readonly GroupSeed[];
}

export interface Seeded {
  readonly bots: Readonly<Record<string, TestAccount>>;
  /** The ids of the groups, by title. */
  readonly groups: Readonly<Record<string, string>>;
}

/** Starts a throw-away service; resolves when it is ready and has what the options name. */
export async function startParley(options: ParleyOptions = {}): Promise<Parley & Seeded> {
  const { checkout = process.env['PARLEY_CHECKOUT'] ?? '', env = {}, users = [], bots = [], groups = [] } = options;
  const { inProcess = false } = options;
  if (checkout === '')
    throw new Error('startParley needs a checkout of Parley: pass `checkout`, or set PARLEY_CHECKOUT to its folder');
  const folder = resolve(checkout);
  const parley = new Parley(await (inProcess ? startInProcess(folder, env) : ServiceProcess.start(folder, env)));
  try {
    for (const username of users) await parley.user(username).api.getMe();
    const made: Record<string, TestAccount> = {};
    for (const username of bots) made[username] = await parley.createBot(username);
    const ids: Record<string, string> = {};
    for (const { title, members } of groups) ids[title] = await parley.createGroup(title, members);
    return Object.assign(parley, { bots: made, groups: ids });
  } catch (error) {
    await parley.stop();
    throw error;
  }
}
