import { Problem } from '../../ui/states/problem.tsx';
import { Spinner } from '../../ui/states/spinner.tsx';
import { PersonOptions } from './person-options.tsx';
import styles from './person-picker.module.css';
import { PickedPeople } from './picked-people.tsx';
import type { People } from './use-people-search.ts';
import { type PickingInput, usePicking } from './use-picking.ts';
import { t } from '../../words/t.ts';

interface PersonPickerProps extends PickingInput {
  hint?: string | undefined;
  label: string;
  /** Shown if nothing is typed and `known` is empty. */
  empty: string;
}

/** Searches and picks people and agents; the focus stays in the search field. */
export function PersonPicker({ hint, label, empty, ...input }: PersonPickerProps) {
  const { typed, setTyped, people, groups, isPicked, obstacleOf, toggle, active, onKey } = usePicking(input);
  const { listId, activeKey, optionId } = active;
  return (
    <div className={styles['picker']}>
      <PickedPeople picked={input.picked} onLeaveOut={toggle} />
      <input
        className={styles['search']}
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={groups.length > 0}
        aria-controls={listId}
        aria-activedescendant={activeKey === null ? undefined : optionId(activeKey)}
        aria-autocomplete="list"
        placeholder={label}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={onKey}
      />
      {hint === undefined ? null : (
        <p className="ui-about" role="status">
          {hint}
        </p>
      )}
      <div className={styles['list']}>
        <PersonOptions
          label={label}
          groups={groups}
          active={active}
          isPicked={isPicked}
          obstacleOf={obstacleOf}
          onToggle={toggle}
        />
        {groups.length > 0 ? null : <NoPeople typed={typed.trim()} people={people} empty={empty} />}
      </div>
    </div>
  );
}

/** Says why the list is empty. */
function NoPeople({ typed, people, empty }: { typed: string; people: People; empty: string }) {
  if (typed !== '' && people.error !== null) return <Problem text={people.error} onRetry={people.reload} />;
  return (
    <p className={styles['note']} role="status">
      {typed === '' ? (
        empty
      ) : people.isLate || people.value === undefined ? (
        <Spinner label={t('Searching')} />
      ) : (
        t(
          'No one found for “{typed}”. Try their full username. People without an account can join a group by its link.',
          {
            typed,
          },
        )
      )}
    </p>
  );
}
