import type { StoredMessage } from '@parley/client/store';
import { isRecord } from '../../markdown/tags/tag-values.ts';
import styles from './service-notice.module.css';

/** A service notice, centred in the timeline without a sender's name (WEB-65). */
export function ServiceNotice({ message, isTabStop }: { message: StoredMessage; isTabStop: boolean }) {
  const { service, content } = message;
  if (!service) return null;
  return (
    <p className={styles['notice']} data-message={message.id} data-row tabIndex={isTabStop ? 0 : -1} dir="auto">
      {content === '' ? noticeText(service) : content}
    </p>
  );
}

/** The text of a notice without content, from its kind and subject. Bots may omit either. */
function noticeText(service: unknown): string {
  const { kind, targets } = isRecord(service) ? service : {};
  const words = typeof kind === 'string' ? kind.replaceAll('_', ' ').trim() : '';
  const names = Array.isArray(targets) ? targets.filter((name) => typeof name === 'string') : [];
  const about = names.map((name) => `@${name}`).join(', ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${about}`.trim() || 'Notice';
}
