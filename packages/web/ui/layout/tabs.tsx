import { Tabs as Base } from '@base-ui/react/tabs';
import { type ReactNode, Suspense } from 'react';
import { Spinner } from '../states/spinner.tsx';
import styles from './tabs.module.css';

interface TabsProps {
  /** The accessible name of the row of tabs. */
  label: string;
  tabs: readonly { readonly name: string; readonly content: ReactNode }[];
}

/**
 * Contents of which one is displayed; the first one at the start. Arrow keys move between the tabs, whose order is fixed;
 * several may have the same name.
 */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <Base.Root defaultValue={0} className="ui-wide">
      <Base.List className={styles['row']} aria-label={label} activateOnFocus>
        {tabs.map(({ name }, at) => (
          <Base.Tab key={at} value={at} className={styles['tab']}>
            {name}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ content }, at) => (
        <Base.Panel key={at} value={at} className={styles['panel']}>
          <Suspense fallback={<Spinner />}>{content}</Suspense>
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
