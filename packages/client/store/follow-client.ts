import type { ConnectionState } from '../connection-states.ts';
import { systemPage } from '../environment.ts';
import type { ClientEventName, ClientListener } from '../event-names.ts';
import { eventRules, type RuleParts } from './event-rules.ts';
import type { StoreParts } from './parts.ts';
import type { StoreState } from './state.ts';
import type { StoreOptions } from './store.ts';

/** Keeps the parts of a store up to date with its client, from now on. Returns what ends that. */
export function followClient(parts: StoreParts, { page = systemPage, saved }: StoreOptions): () => void {
  const { client, state, saving, loader } = parts;
  const { changes } = state;
  state.showMe();
  const ends = [
    client.on('accountUpdated', (account) => {
      if (state.isOwn(account.username)) changes.run(() => state.showMe(account));
    }),
    ...applyEvents(parts),
    client.outbox.entries.subscribe(() => showPending(state)),
    client.outbox.changes.subscribe(() => changes.run(() => state.waiting.update())),
    client.onState((now) => changes.run(() => showConnection(parts, now))),
    page.onLeave(() => state.drafts.flush()),
    client.on('reload', () => (saving.isCurrent = false)),
  ];
  if (saved) saving.restore(saved);
  showPending(state);
  changes.run(() => state.waiting.update());

  // Load immediately, before the socket is open; a failed load is retried once it is open. A closed client loads nothing
  // until it is opened. If the client already follows the log, the load starts when the client holds the log back, so
  // that its position is not set back.
  let early = client.account || client.state === 'closed' ? null : loader.load();
  early?.catch(() => {});
  ends.push(
    client.attach({
      isRestored: saved !== undefined,
      async load() {
        const begun = early;
        early = null;
        return (await begun?.catch(() => undefined)) ?? loader.load();
      },
      deliver: (work) => changes.run(work),
    }),
  );
  return () => {
    for (const end of ends) end();
  };
}

function applyEvents(parts: StoreParts): (() => void)[] {
  const { client, state, eviction } = parts;
  // The names of the rules.
  return (Object.keys(eventRules) as ClientEventName[]).map((name) => {
    // `rule` belongs to the event `name`.
    const rule = eventRules[name] as (given: RuleParts, params: unknown, isReplay: boolean, isWhole?: boolean) => void;
    const listener: ClientListener<typeof name> = (params, { isReplay, isWhole }) =>
      state.changes.run(() => {
        rule(parts, params, isReplay, isWhole);
        state.changes.later(eviction.run);
      });
    return client.on(name, listener);
  });
}

const showPending = (state: StoreState): void =>
  state.changes.run(() => {
    for (const { params } of state.pending.update())
      if (params.clear_draft)
        state.drafts.sent(params.clear_draft === 'timeline' ? params : { chat_id: params.chat_id });
  });

function showConnection(parts: StoreParts, now: ConnectionState): void {
  const { state, typing, saving, refresher, timelines } = parts;
  state.showMe();
  if (now === 'recovering' || now === 'waiting' || now === 'offline') state.people.stopTyping();
  state.people.setAway(now === 'waiting' || now === 'offline');
  if (now !== 'live') {
    typing.forget();
    return state.presence.forget();
  }
  saving.isCurrent = true;
  refresher.schedule();
  state.drafts.retry();
  state.inbox.schedule();
  state.presence.resume();
  state.emoji.retry();
  state.scheduled.retry();
  state.reads.reload();
  state.privacy.load();
  timelines.retry();
}
