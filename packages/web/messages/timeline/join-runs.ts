import type { StoredMessage } from '@parley/client/store';
import { joinOf } from '../../chats/chat/join-notice.ts';
import { isSameDay } from '../../words/times.ts';

/** The rows of a timeline in which joins that follow one another share one row. */
export interface JoinRuns {
  readonly ids: readonly string[];
  /** The joins before this one that its row shows too, oldest first; undefined if there are none. */
  readonly joinsBefore: (id: string) => readonly string[] | undefined;
  /** The row that shows a message. */
  readonly rowOf: (id: string) => string;
}

type Known = Pick<StoredMessage, 'service' | 'created_at'>;

/**
 * Gathers joins that follow one another on one day into one row, that of the last of them: so a new join appears at the
 * end of the timeline, where new messages appear.
 */
export function gatherJoins(rows: readonly string[], messageOf: (id: string) => Known | undefined): JoinRuns {
  const ids: string[] = [];
  const before = new Map<string, readonly string[]>();
  const shownBy = new Map<string, string>();
  let run: string[] = [];
  const show = (): void => {
    const [shown] = run.splice(-1);
    if (shown === undefined) return;
    ids.push(shown);
    if (run.length > 0) before.set(shown, run);
    for (const earlier of run) shownBy.set(earlier, shown);
    run = [];
  };
  let last: Known | undefined;
  for (const id of rows) {
    const message = messageOf(id);
    const join = message && joinOf(message.service) ? message : undefined;
    if (!join || !last || !isSameDay(last.created_at, join.created_at)) show();
    run.push(id);
    last = join;
  }
  show();
  return { ids, joinsBefore: (id) => before.get(id), rowOf: (id) => shownBy.get(id) ?? id };
}
