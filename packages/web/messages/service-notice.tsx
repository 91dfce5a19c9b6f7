import type { StoredMessage } from '@parley/client/store';
import styles from './service-notice.module.css';

/** Something that happened, told in the middle of the timeline. */
export function ServiceNotice({ message, isTabStop }: { message: StoredMessage; isTabStop: boolean }) {
  const { service, content, sender } = message;
  if (!service) return null;
  const kind = service.kind.replaceAll('_', ' ');
  const targets = service.targets?.length ? ` ${service.targets.map((name) => `@${name}`).join(', ')}` : '';
  return (
    <p className={styles['notice']} data-message={message.id} data-row tabIndex={isTabStop ? 0 : -1} dir="auto">
      {content === '' ? `${sender.display_name}: ${kind}${targets}` : content}
    </p>
  );
}
