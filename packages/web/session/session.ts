// The signed-in account and hooks that read its store. Imports from no other folder.
import { type Client, type ClientOptions, createApi, createClient } from '@parley/client';
import { createStore, type SavedStore, type Store } from '@parley/client/store';
import type { OperationName } from '@parley/protocol';
import { createContext, use } from 'react';
import { Changes } from './changes.ts';
import { EditedHere } from './edited-here.ts';
import { FrameQueue } from './frame-queue.ts';
import { LookedVersions } from './looked-versions.ts';
import { MessageRows } from './message-rows.ts';
import { ProviderWords } from './provider-words.ts';
import { dropSaved, readSaved } from './saved-store.ts';
import { t } from '../words/t.ts';

const TOKEN = 'parley.token';
const USERNAME = 'parley.username';
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
  return token !== null && username !== null ? openSaved(token, username, await readSaved(username)) : null;
}

/** An API client without an account. */
export const guest = () => createApi({ url: location.origin });

const device = () => ({ name: browserName(), platform: 'web' });

/** Throws ApiError, or TypeError if the service cannot be reached. */
export async function signIn(username: string, password: string): Promise<Session> {
  const device_token = savedDevices()[username];
  const known = device_token === undefined ? {} : { device_token };
  const answer = await guest().signIn({ username, password, device: device(), ...known });
  return keep(answer, username);
}

export async function signUp(username: string, password: string, displayName: string): Promise<Session> {
  const name = displayName === '' ? {} : { display_name: displayName };
  return keep(await guest().signUp({ username, password, ...name, device: device() }), username);
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
  const devices = localStorage.getItem(DEVICES);
  localStorage.clear();
  localStorage.setItem(WAS_USED, '1');
  if (devices !== null) localStorage.setItem(DEVICES, devices);
}

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

function keep({ token, device_token }: { token: string; device_token: string }, username: string): Session {
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
    may: () => true,
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
