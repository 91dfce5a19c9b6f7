import type { StoredMessage } from '@parley/client/store';
import { hostOf } from '@parley/markdown';
import type { LinkPreview as Preview } from '@parley/protocol';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { IconButton } from '../../ui/button.tsx';
import { errorText } from '../../words/error-text.ts';
import styles from './link-preview.module.css';
import { t } from '../../words/t.ts';

interface LinkPreviewProps {
  message: StoredMessage;
  preview: Preview;
  isOwn: boolean;
}

/** What the page behind a message's first link says of itself, as a link. The sender can remove it. */
export function LinkPreview({ message, preview, isOwn }: LinkPreviewProps) {
  const { client, store } = useSession();
  // Nothing is shown before the choice is known; a restored store knows it from before (SDK-40).
  const isWanted = useCell(store.privacy)?.link_previews === true;
  const [error, setError] = useState<string | null>(null);
  const { url, title, description, site_name: site } = preview;
  const remove = () => {
    setError(null);
    client
      .call('removeLinkPreview', { message_id: message.id })
      .catch((failure: unknown) => setError(errorText(failure)));
  };
  if (!isWanted) return null;
  return (
    <div className={styles['place']}>
      <a
        className={styles['preview']}
        href={url}
        target="_blank"
        rel="noopener noreferrer nofollow"
        title={url}
        dir="auto"
        data-preview
      >
        {/* The page names itself as it likes; its host cannot be made up. */}
        <span className={styles['site']}>
          <bdi>{hostOf(url)}</bdi>
          {site === undefined ? null : <bdi>{site}</bdi>}
        </span>
        <span className={styles['title']}>{title}</span>
        {description === undefined ? null : <span className={styles['description']}>{description}</span>}
      </a>
      {isOwn ? (
        <IconButton className={styles['remove']} label={t('Remove preview')} icon={<X />} onClick={remove} />
      ) : null}
      <p className="ui-error" role="alert">
        {error}
      </p>
    </div>
  );
}
