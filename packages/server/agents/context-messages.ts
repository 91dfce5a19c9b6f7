import { actText } from '../rules/component-actions.ts';
import type { ContextMessage } from '../rules/conversation-context.ts';
import type { Part } from '@parley/protocol';
import { accountByKey, accountsByNames } from '../store/accounts.ts';
import { type MessageRow, recordOf } from '../store/messages.ts';
import type { Sql } from '../store/sql.ts';

/** A message as a model may receive it, with its key and parts. */
export type KeyedMessage = ContextMessage & {
  key: number;
  /** Whose message it is. */
  senderKey: number;
  parts?: readonly Part[] | undefined;
};

/** The messages of these rows, in their order, with the present names of their senders. */
export async function contextMessages(read: Sql, rows: readonly MessageRow[]): Promise<KeyedMessage[]> {
  const records = rows.map((row) => recordOf(row));
  const senders = new Set([
    ...rows.map(({ sender_key }) => sender_key),
    ...records.flatMap(({ forwarded_from }) => forwarded_from?.sender ?? []),
  ]);
  const accounts = new Map((await read.gather(accountByKey, senders)).map((account) => [account.key, account]));
  const actors = new Set(records.flatMap(({ component_action }) => component_action?.username ?? []));
  const pressers = new Map(
    (await read.list(accountsByNames, [...actors])).map((account) => [account.username, account]),
  );
  return rows.map((row, at) => {
    const { key, sender_key: senderKey } = row;
    const sender = accounts.get(row.sender_key);
    const { content, attachments, forwarded_from, component_action: act, parts } = records[at] ?? recordOf(row);
    if (act) {
      const senderDisplayName = pressers.get(act.username)?.display_name ?? act.username;
      return { key, senderKey, senderUsername: act.username, senderDisplayName, content: '', act: actText(act), parts };
    }
    const first = forwarded_from && accounts.get(forwarded_from.sender);
    return {
      key,
      senderKey,
      senderUsername: sender?.username ?? '',
      senderDisplayName: sender?.display_name ?? '',
      content,
      attachments,
      parts,
      forwardedFrom: first && { username: first.username, displayName: first.display_name },
    };
  });
}
