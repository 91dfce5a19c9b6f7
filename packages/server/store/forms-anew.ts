// Computes again the stored forms in which names and emoji are compared (ACCT-6, REACT-7). SQL cannot compute them, so the
// service rewrites the rows, in blocks: once as a migration, and again by `recount`, after nodes of an earlier version have
// stored the former forms beside it.
import { emojiForm } from '@parley/protocol';
import { searchName } from './accounts.ts';
import { type SqlValue, type Statement, statement } from './sql.ts';

/** The number of the migration after which the forms are written. */
export const FORMS_ANEW = 63;

const BLOCK = 1_000;
interface Name {
  key: number;
  display_name: string;
  search_name: string;
}
const names = statement<Name, [after: number, most: number]>(
  `SELECT key, display_name, search_name FROM accounts WHERE key > $1 AND deleted_at IS NULL ORDER BY key LIMIT $2`,
);
const setName = statement<never, [key: number, name: string]>('UPDATE accounts SET search_name = $2 WHERE key = $1');
const emoji = statement<{ emoji: string }>('SELECT DISTINCT emoji FROM reactions');
const setEmoji = statement<never, [from: string, to: string]>(
  `UPDATE reactions SET emoji = $2 WHERE emoji = $1 AND NOT EXISTS (SELECT 1 FROM reactions other
     WHERE other.message_key = reactions.message_key AND other.account_key = reactions.account_key AND other.emoji = $2)`,
);
const dropEmoji = statement<never, [emoji: string]>('DELETE FROM reactions WHERE emoji = $1');

export interface Step {
  readonly statement: Statement;
  readonly params: readonly SqlValue[];
}
const step = <Row, Params extends readonly SqlValue[]>(of: Statement<Row, Params>, ...params: Params): Step => ({
  statement: of,
  params,
});

/** The statements of the migration; each `yield` returns the rows of one. */
export function* formsAnew(): Generator<Step, void, readonly unknown[]> {
  for (let after = 0; ;) {
    const rows = (yield step(names, after, BLOCK)) as readonly Name[]; // as the statement declares
    for (const { key, display_name, search_name } of rows)
      if (searchName(display_name) !== search_name) yield step(setName, key, searchName(display_name));
    const last = rows.at(-1);
    if (!last || rows.length < BLOCK) break;
    after = last.key;
  }
  const used = (yield step(emoji)) as readonly { emoji: string }[]; // as the statement declares
  for (const { emoji: from } of used) {
    const to = emojiForm(from);
    if (to === from) continue;
    yield step(setEmoji, from, to);
    yield step(dropEmoji, from);
  }
}

/** Runs the steps with an asynchronous store. */
export async function writeForms(run: (step: Step) => Promise<readonly unknown[]>): Promise<void> {
  const steps = formsAnew();
  for (let next = steps.next([]); !next.done;) next = steps.next(await run(next.value));
}
