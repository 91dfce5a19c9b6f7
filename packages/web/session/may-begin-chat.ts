import { ApiError, type Client } from '@parley/client';
import type { Session } from './session.ts';

/** How long an answer about an agent is kept: a search asks about every agent that it finds, after each pause in typing. */
const KEPT_MS = 300_000;

interface Answer {
  readonly may: Promise<boolean>;
  readonly at: number;
}

/** By username, for each session. */
const answersOf = new WeakMap<Client, Map<string, Answer>>();

/**
 * Whether the user may begin a chat with an account, or has begun one: with nobody else's private agent (CUSTOM-6). What
 * one may not do is not offered (WEB-473).
 */
export async function mayBeginChat({ client, store, username: me, may }: Session, username: string): Promise<boolean> {
  if (!may('startChat')) return false;
  const [owner, slug] = username.split(':');
  if (slug === undefined || owner === me) return true;
  const hasChat = store.chats.get().ids.some((id) => {
    const chat = store.chat(id).get();
    return chat?.kind === 'direct' && chat.participants.some((one) => one.username === username);
  });
  return hasChat || isOffered(client, username);
}

/** Whether the service lets the user begin a chat with somebody else's agent. */
function isOffered(client: Client, username: string): Promise<boolean> {
  const answers = answersOf.get(client) ?? new Map<string, Answer>();
  answersOf.set(client, answers);
  const known = answers.get(username);
  if (known && performance.now() - known.at < KEPT_MS) return known.may;
  const asked = ask(client, username).catch(() => {
    // Without an answer nobody knows: the attempt says what is wrong, and the next search asks again.
    answers.delete(username);
    return true;
  });
  answers.set(username, { may: asked, at: performance.now() });
  return asked;
}

async function ask(client: Client, username: string): Promise<boolean> {
  try {
    const { visibility } = await client.call('getAgent', { username });
    return visibility !== 'private';
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'forbidden' || error.code === 'not_found')) return false;
    throw error;
  }
}
