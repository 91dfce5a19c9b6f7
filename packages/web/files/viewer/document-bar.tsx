import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { usePaused } from '../../calls/use-paused.ts';
import { IconButton } from '../../ui/button.tsx';
import { t } from '../../words/t.ts';
import type { HandleRef, PagePlace } from '../documents/document-handle.ts';
import styles from './document-bar.module.css';

/** How long the words stay the same before they are looked for. */
const TYPING_MS = 200;

interface DocumentBarProps {
  handle: HandleRef;
  /** Null for a document without pages. */
  page: PagePlace | null;
  /** Changes when the document does: then the words are looked for again. */
  changes: number;
  /** Undefined if the conversation has none. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

/** Leads through a document: to a page, to words in it, and to the documents beside it in the conversation. */
export function DocumentBar({ handle, page, changes, onPrevious, onNext }: DocumentBarProps) {
  return (
    <div className={styles['bar']}>
      <IconButton label={t('Previous file')} icon={<ChevronLeft />} disabled={!onPrevious} onClick={onPrevious} />
      <IconButton label={t('Next file')} icon={<ChevronRight />} disabled={!onNext} onClick={onNext} />
      {page ? <PageField page={page} goTo={(number) => handle.current?.goTo?.(number)} /> : null}
      <WordsField handle={handle} changes={changes} />
    </div>
  );
}

function PageField({ page: { number, count }, goTo }: { page: PagePlace; goTo: (number: number) => void }) {
  // What is typed, until it is confirmed.
  const [typed, setTyped] = useState<string | null>(null);
  const confirm = () => {
    const wanted = Number(typed);
    if (typed !== null && Number.isInteger(wanted) && wanted >= 1) goTo(Math.min(wanted, count));
    setTyped(null);
  };
  return (
    <span className={styles['page']}>
      <input
        aria-label={t('Page {number, number} of {count, number}', { number, count })}
        inputMode="numeric"
        size={3}
        value={typed ?? number}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={confirm}
        onKeyDown={({ key }) => key === 'Enter' && confirm()}
      />
      <span aria-hidden>{` / ${count}`}</span>
    </span>
  );
}

function WordsField({ handle, changes }: Pick<DocumentBarProps, 'handle' | 'changes'>) {
  const [words, setWords] = useState('');
  const wanted = usePaused(words, TYPING_MS);
  // Null while it is not known.
  const [found, setFound] = useState<{ count: number; at: number } | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    setFound(null);
    void (async () => {
      const count = (await handle.current?.find(wanted, abort.signal).catch(() => 0)) ?? 0;
      if (abort.signal.aborted) return;
      setFound({ count, at: 0 });
      if (count > 0) handle.current?.show(0);
    })();
    return () => abort.abort();
  }, [handle, wanted, changes]);
  function move(by: -1 | 1) {
    if (!found || found.count === 0) return;
    const at = (found.at + by + found.count) % found.count;
    setFound({ ...found, at });
    handle.current?.show(at);
  }
  const isFound = found !== null && found.count > 0;
  return (
    <span className={styles['words']}>
      <input
        type="search"
        dir="auto"
        aria-label={t('Search in this file')}
        placeholder={t('Search in this file')}
        value={words}
        onChange={({ target }) => setWords(target.value)}
        onKeyDown={({ key, shiftKey }) => key === 'Enter' && move(shiftKey ? -1 : 1)}
      />
      <span className="ui-note" role="status">
        {wanted.trim() === '' || !found
          ? null
          : isFound
            ? t('{number, number} of {count, number}', { number: found.at + 1, count: found.count })
            : t('Not found')}
      </span>
      <IconButton label={t('Previous place')} icon={<ArrowUp />} disabled={!isFound} onClick={() => move(-1)} />
      <IconButton label={t('Next place')} icon={<ArrowDown />} disabled={!isFound} onClick={() => move(1)} />
    </span>
  );
}
