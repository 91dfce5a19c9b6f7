// The signed-in account and hooks that read its store. Imports from no other folder.
import { type Client, type ClientOptions, createApi, createClient } from '@parley/client';
import { createStore, type SavedStore, type Store } from '@parley/client/store';
import type { OperationName, Result } from '@parley/protocol';
import { isForGuests } from '@parley/protocol/closed-to-guests';
import { createContext, use } from 'react';
import { Changes } from './changes.ts';
import { EditedHere } from './edited-here.ts';
import { FrameQueue } from './frame-queue.ts';
import { atForget } from './has-uploads.ts';
import { LookedVersions } from './looked-versions.ts';
import { MessageRows } from './message-rows.ts';
import { ProviderWords } from './provider-words.ts';
import { dropSaved, readSaved } from './saved-store.ts';
import { t } from '../words/t.ts';

const TOKEN = 'parley.token';
const USERNAME = 'parley.username';
/** The account that signed in here waits for approval. */
const IS_PENDING = 'parley.is-pending';
/** The account that signed in here has to set up a second factor. */
const NEEDS_FACTOR = 'parley.needs-factor';
/** The account that signed in here is a guest of the service. */
const IS_GUEST = 'parley.is-guest';
/** The account that signed in here is a moderator, an admin or an owner of the service. */
const RUNS_SERVICE = 'parley.runs-service';
const WAS_USED = 'parley.was-used';
/** Device tokens by username of all accounts that signed in here; kept after sign-out. */
const DEVICES = 'parley.devices';

/** A signed-in account with its client and store. */
export interface Session {
  readonly username: string;
  readonly client: Client;
  readonly store: Store;
  readonly frames: FrameQueue;
  readonly rows: MessageRows;
  readonly looks: LookedVersions;
  readonly edited: EditedHere;
  readonly providerWords: ProviderWords;
  /** Of the keys of the account's agents, by this page. */
  readonly agentKeys: Changes;
  /** Whether the session may call an operation. What it may not do is not shown. */
  readonly may: (operation: OperationName) => boolean;
}

/** The session that the last sign-in saved in this browser, with what the browser has kept of its conversations. */
export async function savedSession(): Promise<Session | null> {
  const token = localStorage.getItem(TOKEN);
  const username = localStorage.getItem(USERNAME);
  if (token === null || username === null) return null;
  const session = openSaved(token, username, await readSaved(username));
  void noteRole(session);
  return session;
}

/** The role may have changed since the sign-in. Only the service's answer to getMe has it (ROLE-11). */
async function noteRole(session: Session): Promise<void> {
  const me = await session.client.call('getMe').catch(() => undefined);
  if (me && isKept(session)) keepRole(me);
}

function keepRole({ role }: Result<'getMe'>): void {
  if (role === 'guest') localStorage.setItem(IS_GUEST, '1');
  else localStorage.removeItem(IS_GUEST);
  if (role === undefined || role === 'guest' || role === 'member') localStorage.removeItem(RUNS_SERVICE);
  else localStorage.setItem(RUNS_SERVICE, '1');
}

/** Whether the app offers the pages for those who run the service, as far as this browser knows. */
export const runsService = (): boolean => localStorage.getItem(RUNS_SERVICE) !== null;

const mayHere = (name: OperationName): boolean => localStorage.getItem(IS_GUEST) === null || isForGuests(name);

/** An API client without an account. */
export const guest = () => createApi({ url: location.origin });

const device = () => ({ name: browserName(), platform: 'web' });

/** Throws ApiError, or TypeError if the service cannot be reached. */
export async function signIn(username: string, password: string, code?: string): Promise<Session> {
  const device_token = savedDevices()[username];
  const known = device_token === undefined ? {} : { device_token };
  const second = code === undefined ? {} : { code };
  const answer = await guest().signIn({ username, password, device: device(), ...known, ...second });
  return keep(answer, username);
}

/** A sign-in that this browser does not keep yet. */
export interface Entry {
  readonly username: string;
  /** Keeps it: the browser is signed in with this account. */
  readonly enter: () => Session;
  /** Ends it on the service. */
  readonly end: () => Promise<void>;
}

/** Completes a sign-in at an issuer, with the code that stands in the address. */
export async function exchangeSignIn(code: string): Promise<Entry> {
  const answer = await guest().exchangeSignIn({ code, device: device() });
  const { username } = answer.account;
  return {
    username,
    enter: () => keep(answer, username),
    async end() {
      await createApi({ url: location.origin, token: answer.token })
        .signOut()
        .catch(() => undefined);
    },
  };
}

interface NewAccount {
  username: string;
  password: string;
  /** Empty for none. */
  displayName: string;
  /** The token of an invite to the service or to a group. */
  invite: string | null;
}

export async function signUp({ username, password, displayName, invite }: NewAccount): Promise<Session> {
  const name = displayName === '' ? {} : { display_name: displayName };
  const invited = invite === null ? {} : { invite };
  return keep(await guest().signUp({ username, password, ...name, ...invited, device: device() }), username);
}

/** Removes the account from this browser, then ends its session on the service if it can be reached. */
export async function signOut({ client }: Session): Promise<void> {
  forget();
  await client.api.signOut().catch(() => undefined);
  client.close();
}

/** Clears this browser's storage, except the device tokens and the mark that an account was used here. */
export function forget(): void {
  void dropSaved();
  for (const drop of atForget) drop();
  const devices = localStorage.getItem(DEVICES);
  localStorage.clear();
  localStorage.setItem(WAS_USED, '1');
  if (devices !== null) localStorage.setItem(DEVICES, devices);
}

let deleted: string | null = null;

/** Notes that the user has deleted the account: the page that follows says so. */
export const sayDeleted = (username: string): void => {
  deleted = username;
};
/** The account that was deleted on this page; null if none was. */
export const deletedHere = (): string | null => deleted;

/** Whether this browser still stores the session; false after a sign-out in any tab. */
export const isKept = ({ client }: Session): boolean => localStorage.getItem(TOKEN) === client.token;

/** Whether an account was signed in here before. */
export const wasUsed = (): boolean => localStorage.getItem(WAS_USED) !== null;

/** Maximum number of people whose device tokens a browser keeps. */
const MAX_DEVICES = 10;

function savedDevices(): Readonly<Record<string, string>> {
  const saved: unknown = JSON.parse(localStorage.getItem(DEVICES) ?? '{}');
  const entries = typeof saved === 'object' && saved !== null ? Object.entries(saved) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Whether the account that signed in here waits for approval, as far as this browser knows. */
export const isPending = (): boolean => localStorage.getItem(IS_PENDING) !== null;

/** Notes that the account has been approved. */
export const endPending = (): void => localStorage.removeItem(IS_PENDING);

/** Whether the account has to set up a second factor before anything else, as far as this browser knows. */
export const needsFactor = (): boolean => localStorage.getItem(NEEDS_FACTOR) !== null;

/** Notes that the account has a second factor. */
export const endNeedsFactor = (): void => localStorage.removeItem(NEEDS_FACTOR);

function keep({ token, device_token, account, needs_second_factor }: Result<'signIn'>, username: string): Session {
  if (needs_second_factor) localStorage.setItem(NEEDS_FACTOR, '1');
  else endNeedsFactor();
  if (account.pending) localStorage.setItem(IS_PENDING, '1');
  else localStorage.removeItem(IS_PENDING);
  keepRole(account);
  const others = Object.entries(savedDevices()).filter(([name]) => name !== username);
  const devices = [...others, [username, device_token]].slice(-MAX_DEVICES);
  localStorage.setItem(DEVICES, JSON.stringify(Object.fromEntries(devices)));
  localStorage.setItem(TOKEN, token);
  localStorage.setItem(USERNAME, username);
  return openSaved(token, username);
}

const openSaved = (token: string, username: string, saved?: SavedStore): Session =>
  openSession(username, {
    token,
    storage: localStorage,
    saved,
    may: mayHere,
  });

interface SessionOptions extends Pick<ClientOptions, 'token' | 'storage'>, Pick<Session, 'may'> {
  saved?: SavedStore | undefined;
}

/** Opens an account with a token that is known to be its own. */
export function openSession(username: string, { token, storage, saved, may }: SessionOptions): Session {
  const client = createClient({
    url: location.origin,
    token,
    account: username,
    caps: ['ext', 'focus'],
    ...(storage && { storage }),
    ...(saved && { since: saved.position, self: saved.account }),
  });
  return {
    username,
    client,
    store: createStore(client, { saved }),
    frames: new FrameQueue(),
    rows: new MessageRows(),
    looks: new LookedVersions(),
    edited: new EditedHere(),
    providerWords: new ProviderWords(),
    agentKeys: new Changes(),
    may,
  };
}

function browserName(): string {
  const { userAgent } = navigator;
  const browser =
    ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'].find((name) => userAgent.includes(name)) ?? t('Browser');
  const system = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux'].find((name) => userAgent.includes(name));
  const known: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' };
  const name = known[browser] ?? browser;
  return system === undefined ? name : t('{name} on {system}', { name, system });
}

export const SessionContext = createContext<Session | null>(null);

/** The current session; throws outside SessionContext. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('this component needs a SessionContext around it');
  return session;
}

export const useStore = (): Store => useSession().store;
