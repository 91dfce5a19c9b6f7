import type { StoredMessage } from '@parley/client/store';
import { useState } from 'react';
import { randomName } from '../../browser/random-name.ts';
import { useSession } from '../../session/session.ts';
import { errorText } from '../../words/error-text.ts';
import { listOf } from '../../words/list-of.ts';
import { t } from '../../words/t.ts';

/** Maximum conversations to forward to at once: each is a call of its own. */
export const MAX_TARGETS = 20;

export interface Target {
  /** Null for a direct chat that does not exist yet. */
  readonly id: string | null;
  /** With whom that chat is: the user, for saved messages. */
  readonly username?: string;
  readonly title: string;
}

interface Forwarded {
  readonly failed: readonly Target[];
  /** The ids of the conversations that have the copies now. */
  readonly sent: readonly string[];
}

interface Forwarding {
  /** Forwards to one conversation after another. `error` says which of them failed. */
  readonly forward: (targets: readonly Target[]) => Promise<Forwarded>;
  readonly isBusy: boolean;
  readonly error: string | null;
}

/** Forwards messages. A repeated attempt sends nothing twice. */
export function useForward(messages: readonly StoredMessage[]): Forwarding {
  const { client, store, username: me } = useSession();
  const [state, setState] = useState<{ isBusy: boolean; error: string | null }>({ isBusy: false, error: null });
  const [attempt] = useState(randomName);
  const message_ids = messages.map(({ id }) => id);

  async function forwardTo({ id, username = me }: Target): Promise<string> {
    const to_chat_id = id ?? (await chatWith(username));
    const client_msg_id = `${attempt} ${to_chat_id}`;
    const { items } = await client.call('forwardMessages', { message_ids, to_chat_id, client_msg_id });
    if (items.length === 0) throw new Error('nothing was copied');
    return to_chat_id;
  }

  async function chatWith(username: string): Promise<string> {
    const chat = await client.call('startChat', { username });
    store.putChat(chat);
    return chat.id;
  }

  async function forward(targets: readonly Target[]): Promise<Forwarded> {
    setState({ isBusy: true, error: null });
    const failed: { target: Target; reason: string }[] = [];
    const sent: string[] = [];
    for (const target of targets) {
      try {
        sent.push(await forwardTo(target));
      } catch (failure) {
        failed.push({ target, reason: errorText(failure) });
      }
    }
    setState({ isBusy: false, error: problemOf(failed, targets.length) });
    return { failed: failed.map(({ target }) => target), sent };
  }

  return { forward, ...state };
}

function problemOf(failed: readonly { target: Target; reason: string }[], count: number): string | null {
  const [first] = failed;
  if (!first) return null;
  if (count === 1) return first.reason;
  const titles = listOf(failed.map(({ target }) => target.title));
  return t('Not forwarded to: {titles}. {reason}', { titles, reason: first.reason });
}
