import type { ActiveOption } from '../../ui/use-active-option.ts';
import type { PaletteGroup, PaletteItem } from './palette-items.ts';
import { PaletteRow } from './palette-row.tsx';
import styles from './palette.module.css';
import { t } from '../../words/t.ts';

interface PaletteResultsProps {
  groups: readonly PaletteGroup[];
  active: ActiveOption;
  /** The search is limited to one conversation. */
  isScoped: boolean;
  onChoose: (key: string) => void;
}

/** The results in groups. The focus stays in the search field. */
export function PaletteResults({ groups, active, isScoped, onChoose }: PaletteResultsProps) {
  const { listId, activeKey, optionId, onPoint } = active;
  return (
    <div id={listId} role="listbox" aria-label={t('Results')}>
      {groups.map((group) => (
        <div key={group.title} role="group" aria-label={group.title}>
          <p className="ui-group-title">
            {group.title}
            <HitCount items={group.items} />
          </p>
          {group.items.map((item) => (
            <div
              key={item.key}
              id={optionId(item.key)}
              role="option"
              tabIndex={-1}
              aria-selected={item.key === activeKey}
              data-active={item.key === activeKey || undefined}
              className={styles['row']}
              onPointerMove={(event) => onPoint(item.key, event)}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onChoose(item.key)}
            >
              <PaletteRow item={item} isScoped={isScoped} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

/** The number of messages found so far. */
function HitCount({ items }: { items: readonly PaletteItem[] }) {
  const count = items.filter(({ kind }) => kind === 'message').length;
  const hasMore = items.some(({ kind }) => kind === 'more');
  return count === 0 ? null : ` · ${hasMore ? t('{count, number} and more', { count }) : count}`;
}
