import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from '../app/class-names.ts';
import styles from './menu.module.css';

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  isDanger?: boolean;
  isDisabled?: boolean;
}

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  /** null stands for a line between. */
  items: readonly (MenuItem | null)[];
  align?: 'start' | 'end';
  side?: 'top' | 'bottom';
  onOpenChange?: (isOpen: boolean) => void;
}

/** A list of things to do, below a button. */
export function Menu({ trigger, items, align = 'end', side = 'bottom', onOpenChange }: MenuProps) {
  return (
    <Base.Root modal={false} onOpenChange={(open) => onOpenChange?.(open)}>
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
                // Lines are told apart by their place alone.
                <Base.Separator key={`line ${at}`} className={styles['line']} />
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
