import { Menu as Base } from '@base-ui/react/menu';
import { classNames } from '../../browser/class-names.ts';
import { useBackCloses } from '../../browser/overlays.ts';
import { MenuItems } from './menu-items.tsx';
import type { MenuItems as Items } from './menu.tsx';
import styles from './menu.module.css';

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface ContextMenuProps {
  /** The accessible name. */
  label: string;
  items: Items;
  /** Where it opens. */
  at: Element | Point;
  /** Gets the focus when the menu closes. */
  returnTo: HTMLElement | null;
  onClose: () => void;
}

const placeOf = (at: Element | Point) =>
  at instanceof Element ? at : { getBoundingClientRect: () => new DOMRect(at.x, at.y, 0, 0) };

/** A menu without a button of its own, open while it is mounted. */
export function ContextMenu({ label, items, at, returnTo, onClose }: ContextMenuProps) {
  useBackCloses(true, onClose);
  return (
    <Base.Root open modal={false} onOpenChange={(isOpen) => isOpen || onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles['shade']} />
        <Base.Positioner
          className={classNames('ui-above', styles['place'])}
          anchor={placeOf(at)}
          align="start"
          side="bottom"
          sideOffset={2}
        >
          <Base.Popup className={styles['popup']} aria-label={label} finalFocus={() => returnTo ?? true}>
            <MenuItems items={items} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
