import type { Folder } from '@parley/protocol';
import { FolderCog } from 'lucide-react';
import { type KeyboardEvent, lazy, Suspense, useState, type WheelEvent } from 'react';
import { IconButton } from '../../ui/button.tsx';
import styles from './list-filters.module.css';
import { isSameFilter, type ListFilter } from './shown-chats.ts';
import { arrows, direction } from '../../words/language.ts';
import { t } from '../../words/t.ts';

const EditFolders = lazy(async () => import('./edit-folders.tsx'));

const filters: readonly { label: string; filter: ListFilter }[] = [
  { label: t('All'), filter: 'all' },
  { label: t('Unread'), filter: 'unread' },
  { label: t('Agents'), filter: 'agents' },
  { label: t('Groups'), filter: 'groups' },
];

interface ListFiltersProps {
  folders: readonly Folder[];
  /** The number of unread conversations of each folder. */
  unread: Readonly<Record<string, number>>;
  filter: ListFilter;
  onFilter: (filter: ListFilter) => void;
}

/** Above the list: what it shows. One stop of Tab; the arrow keys move along. */
export function ListFilters({ folders, unread, filter, onFilter }: ListFiltersProps) {
  const [isEditing, setIsEditing] = useState(false);
  const ofFolders = folders.map(({ id, name }) => ({ label: name, filter: { folderId: id }, count: unread[id] ?? 0 }));
  const all = [...filters.map((one) => ({ ...one, count: 0 })), ...ofFolders];
  const chosen = Math.max(
    0,
    all.findIndex((one) => isSameFilter(one.filter, filter)),
  );
  return (
    <div className={styles['bar']} role="toolbar" aria-label={t('Filter conversations')} onKeyDown={moveFocus}>
      <div className={styles['filters']} onWheel={scrollAlong}>
        {all.map((one, at) => (
          <button
            key={typeof one.filter === 'object' ? one.filter.folderId : one.filter}
            type="button"
            className={styles['filter']}
            aria-pressed={isSameFilter(one.filter, filter)}
            tabIndex={at === chosen ? 0 : -1}
            onClick={() => onFilter(one.filter)}
          >
            <span dir="auto" className="ui-cut">
              {one.label}
            </span>
            {one.count > 0 ? (
              <span className="ui-count" aria-label={t('{count, number} unread', { count: one.count })}>
                {one.count}
              </span>
            ) : null}
          </button>
        ))}
      </div>
      <IconButton label={t('Folders')} icon={<FolderCog />} tabIndex={-1} onClick={() => setIsEditing(true)} />
      <Suspense fallback={null}>{isEditing ? <EditFolders onClose={() => setIsEditing(false)} /> : null}</Suspense>
    </div>
  );
}

/** A mouse has one wheel: it scrolls the filters sideways. */
function scrollAlong({ currentTarget, deltaX, deltaY }: WheelEvent<HTMLElement>): void {
  if (deltaX === 0) currentTarget.scrollBy({ left: direction === 'rtl' ? -deltaY : deltaY });
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  if (at === -1) return;
  const to = { [arrows.forward]: at + 1, [arrows.back]: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  buttons[(to + buttons.length) % buttons.length]?.focus();
}
