import {
  type ButtonHTMLAttributes,
  cloneElement,
  lazy,
  type ReactElement,
  type ReactNode,
  Suspense,
  useState,
} from 'react';
import { usePage } from '../../browser/page.ts';

export interface MenuAction {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  isDanger?: boolean;
  isDisabled?: boolean;
}

/** An item that opens another list. */
interface Submenu {
  label: string;
  icon?: ReactNode;
  items: MenuItems;
}

export type MenuItem = MenuAction | Submenu;
/** null is a separator. */
export type MenuItems = readonly (MenuItem | null)[];

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  items: MenuItems;
  align?: 'start' | 'end';
  side?: 'top' | 'bottom';
  onOpenChange?: (isOpen: boolean) => void;
}

const load = async () => import('./menu-list.tsx');
const MenuList = lazy(load);
const SCRIPT = 'menu-list';

/** A button that opens a list of actions. The list's script loads when the button is pointed at or focused. */
export function Menu(props: MenuProps) {
  const { onOpenChange } = props;
  const { loadedScripts } = usePage();
  const [isWanted, setIsWanted] = useState(() => loadedScripts.has(SCRIPT));
  const [isOpened, setIsOpened] = useState(false);
  const loadEarly = (): void => {
    load().then(
      () => loadedScripts.add(SCRIPT),
      () => undefined,
    );
  };
  // Callers pass a button without an onClick.
  const trigger = props.trigger as ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
  const button = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': isOpened,
    onPointerEnter: loadEarly,
    onFocus: loadEarly,
    onClick: () => {
      loadEarly();
      setIsOpened(true);
      setIsWanted(true);
      onOpenChange?.(true);
    },
  });
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <MenuList {...props} isOpened={isOpened} />
    </Suspense>
  );
}
