import { ApiError } from '@parley/client';
import type { StoredMessage } from '@parley/client/store';
import { CircleAlert, Clock } from 'lucide-react';
import { errorText } from '../../words/error-text.ts';
import { useSession } from '../../session/session.ts';
import styles from './send-state.module.css';
import { t } from '../../words/t.ts';

/** The state of an own message that the service has not stored yet: sending, or why it failed. */
export function SendState({ message: { outbox } }: { message: StoredMessage }) {
  const { client } = useSession();
  if (!outbox) return null;
  if (outbox.state !== 'failed')
    return (
      <p className={styles['waiting']}>
        <Clock aria-label={t('Sending')} />
      </p>
    );
  return (
    <p className={styles['failed']} role="alert">
      <CircleAlert />
      <span>{outbox.error ? refusalText(outbox.error) : t('Not sent.')}</span>
      <span className={styles['choices']}>
        <button type="button" onClick={() => client.outbox.retry(outbox.client_msg_id)}>
          {t('Send again')}
        </button>
        <button type="button" onClick={() => client.outbox.discard(outbox.client_msg_id)}>
          {t('Discard')}
        </button>
      </span>
    </p>
  );
}

const refusalText = ({ code, description }: Pick<ApiError, 'code' | 'description'>): string =>
  errorText(new ApiError(400, { error_code: code, description }));
