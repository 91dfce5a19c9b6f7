import { fileAddress, linkAddress } from '@parley/markdown';
import type { PartOf } from '@parley/protocol';
import { LibraryBig } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import { errorText } from '../../../words/error-text.ts';
import { useSession } from '../../../session/session.ts';
import { t } from '../../../words/t.ts';
import { type CitedPlace, citedPlaces } from './cited-places.ts';
import styles from './parts.module.css';

interface CitationListProps {
  parts: readonly PartOf<'citation'>[];
  content: string;
}

/** From which files and pages of the agent's library a reply is (WEB-761). Each opens if its owner lets the reader. */
export const CitationList = memo(function CitationList({ parts, content }: CitationListProps) {
  const { client } = useSession();
  const [note, setNote] = useState<string | null>(null);
  const places = useMemo(() => citedPlaces(parts, content), [parts, content]);
  if (places.length === 0) return null;

  async function open({ agent, sourceId }: CitedPlace): Promise<void> {
    setNote(null);
    try {
      const { items } = await client.call('getAgentSources', { username: agent });
      const source = items.find(({ id }) => id === sourceId);
      const href = source?.file ? fileAddress(source.file.url ?? '') : linkAddress(source?.url ?? '');
      if (href !== undefined) openInTab(href);
      else
        setNote(
          source
            ? t('Only the owner of the agent can open this.')
            : t('This is not in the library of the agent any more.'),
        );
    } catch (error) {
      setNote(errorText(error));
    }
  }

  return (
    <div className={styles['sources']} role="group" aria-label={t('From its library')} data-citations>
      <LibraryBig className={styles['from']} aria-hidden />
      <span className={styles['from']}>{t('From:')}</span>
      {places.map((place) => (
        <button
          key={`${place.sourceId} ${place.page} ${place.heading}`}
          type="button"
          className={styles['chip']}
          onClick={() => void open(place)}
        >
          {place.numbers.map((number) => (
            <span key={number} className={styles['number']}>
              {number}
            </span>
          ))}
          <span className="ui-cut" dir="auto">
            {place.page === undefined
              ? (place.heading ?? '') === ''
                ? place.title
                : `${place.title}, ${place.heading}`
              : t('{name}, p. {page}', { name: place.title, page: place.page })}
          </span>
        </button>
      ))}
      {note === null ? null : (
        <p className={styles['opened']} role="status">
          {note}
        </p>
      )}
    </div>
  );
});

/** By a link of its own: a window that is opened after a request is blocked. */
function openInTab(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  link.click();
}
