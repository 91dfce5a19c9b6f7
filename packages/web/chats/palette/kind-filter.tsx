import type { SearchedKind } from '@parley/protocol';
import { t } from '../../words/t.ts';
import styles from './message-filters.module.css';
import { kinds } from './search-text.ts';

export const kindTexts: Readonly<Record<SearchedKind, string>> = {
  image: t('With an image'),
  video: t('With a video'),
  audio: t('With a sound'),
  file: t('With another file'),
  link: t('With a link'),
};

/** Asks which kind of content to search for. */
export const KindFilter = ({ onChoose, onLeave }: { onChoose: (kind: SearchedKind) => void; onLeave: () => void }) => (
  <div
    className={styles['choices']}
    role="group"
    aria-label={t('Kind of content')}
    onKeyDown={(event) => {
      if (event.key !== 'Escape') return;
      // It would close the palette too.
      event.stopPropagation();
      onLeave();
    }}
  >
    {kinds.map((kind, index) => (
      <button
        key={kind}
        type="button"
        className={styles['chip']}
        autoFocus={index === 0}
        onClick={() => onChoose(kind)}
      >
        {kindTexts[kind]}
      </button>
    ))}
  </div>
);
