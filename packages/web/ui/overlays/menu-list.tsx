import { Menu as Base } from '@base-ui/react/menu';
import { classNames } from '../../browser/class-names.ts';
import type { MenuProps } from './menu.tsx';
import styles from './menu.module.css';

interface MenuListProps extends MenuProps {
  /** The button was clicked before this script had loaded. */
  isOpened: boolean;
}

/** A menu's button, and its list while it is open. */
export default function MenuList({
  trigger,
  items,
  align = 'end',
  side = 'bottom',
  onOpenChange,
  isOpened,
}: MenuListProps) {
  return (
    <Base.Root modal={false} defaultOpen={isOpened} onOpenChange={(open) => onOpenChange?.(open)}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={styles['positioner']} align={align} side={side} sideOffset={4}>
          <Base.Popup className={styles['popup']}>
            {items.map((item, at) =>
              item ? (
                <Base.Item
                  key={item.label}
                  className={classNames(styles['item'], item.isDanger && styles['danger'])}
                  disabled={item.isDisabled ?? false}
                  onClick={item.onSelect}
                >
                  {item.icon}
                  <span>{item.label}</span>
                </Base.Item>
              ) : (
                // Separators have no identity besides their position.
                <Base.Separator key={`line ${at}`} className={styles['line']} />
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
