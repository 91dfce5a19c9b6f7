import { ApiError } from '@parley/client';
import type { StoredMessage } from '@parley/client/store';
import { CircleAlert } from 'lucide-react';
import { errorText } from '../../words/error-text.ts';
import { t } from '../../words/t.ts';
import { useSession } from '../../session/session.ts';
import styles from './send-failure.module.css';

/** Below an own message that could not be sent: why, and what the user can do. */
export function SendFailure({ message: { outbox } }: { message: StoredMessage }) {
  const { client } = useSession();
  if (outbox?.state !== 'failed') return null;
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
