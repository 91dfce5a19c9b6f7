import { Menu as Base } from '@base-ui/react/menu';
import { useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useBackCloses } from '../../browser/overlays.ts';
import { MenuItems } from './menu-items.tsx';
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
  const [isOpen, setIsOpen] = useState(isOpened);
  const change = (next: boolean) => {
    setIsOpen(next);
    onOpenChange?.(next);
  };
  useBackCloses(isOpen, () => change(false));
  return (
    <Base.Root modal={false} open={isOpen} onOpenChange={change}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Backdrop className={styles['shade']} />
        <Base.Positioner className={classNames('ui-above', styles['place'])} align={align} side={side} sideOffset={4}>
          <Base.Popup className={styles['popup']}>
            <MenuItems items={items} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
