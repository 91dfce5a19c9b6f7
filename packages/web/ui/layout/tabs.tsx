import { Tabs as Base } from '@base-ui/react/tabs';
import { type ReactNode, Suspense } from 'react';
import { Spinner } from '../states/spinner.tsx';
import styles from './tabs.module.css';

interface TabsProps {
  /** The accessible name of the row of tabs. */
  label: string;
  tabs: readonly { readonly name: string; readonly content: ReactNode }[];
}

/** Contents of which one is displayed; the first one at the start. Arrow keys move between the tabs. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <Base.Root defaultValue={tabs[0]?.name} className={styles['tabs']}>
      <Base.List className={styles['row']} aria-label={label} activateOnFocus>
        {tabs.map(({ name }) => (
          <Base.Tab key={name} value={name} className={styles['tab']}>
            {name}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ name, content }) => (
        <Base.Panel key={name} value={name} className={styles['panel']}>
          <Suspense fallback={<Spinner />}>{content}</Suspense>
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
