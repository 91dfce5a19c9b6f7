import type { Chat, StoredMessage } from '@parley/client/store';
import { Rows } from '../../markdown/tags/card.tsx';
import styles from '../../markdown/tags/tags.module.css';
import { t } from '../../words/t.ts';

/** Of many values the service counts the rest, in English. */
function shownValue(field: string, value: string): string {
  const [, more] = (field === '…' && /^(\d+) more$/.exec(value)) || [];
  return more === undefined ? value : t('{count, number} more', { count: Number(more) });
}

/** The submitted values of a form, shown in the sender's message. */
export function SubmittedValues({ chat, message }: { chat: Chat; message: StoredMessage }) {
  const { username, fields } = message.component_action ?? {};
  if (username === undefined || !fields) return null;
  const name = chat.participants.find((one) => one.username === username)?.display_name ?? username;
  return (
    <div role="group" className={styles['card']} aria-label={t('Sent by {name}', { name })} dir="auto">
      <p className={styles['subtitle']}>{t('Sent by {name}', { name })}</p>
      <Rows rows={Object.entries(fields).map(([field, value]) => [field, shownValue(field, value)])} />
    </div>
  );
}
