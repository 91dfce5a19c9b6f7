import { Menu as Base } from '@base-ui/react/menu';
import { ChevronRight } from 'lucide-react';
import { classNames } from '../../browser/class-names.ts';
import type { MenuItem, MenuItems as Items } from './menu.tsx';
import styles from './menu.module.css';

/** The content of an open menu. */
export function MenuItems({ items }: { items: Items }) {
  return items.map((item, at) =>
    // Separators have no identity besides their position.
    item ? <Entry key={item.label} item={item} /> : <Base.Separator key={`line ${at}`} className={styles['line']} />,
  );
}

function Entry({ item }: { item: MenuItem }) {
  if (!('items' in item))
    return (
      <Base.Item
        className={classNames(styles['item'], item.isDanger && 'ui-danger')}
        disabled={item.isDisabled ?? false}
        onClick={item.onSelect}
      >
        {item.icon}
        <span>{item.label}</span>
      </Base.Item>
    );
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className={styles['item']}>
        {item.icon}
        <span className="ui-grow">{item.label}</span>
        <ChevronRight />
      </Base.SubmenuTrigger>
      <Base.Portal>
        <Base.Backdrop className={styles['shade']} />
        <Base.Positioner
          className={classNames('ui-above', styles['place'])}
          side="inline-end"
          align="start"
          sideOffset={2}
        >
          <Base.Popup className={styles['popup']}>
            <MenuItems items={item.items} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.SubmenuRoot>
  );
}
