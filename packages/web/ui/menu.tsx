import {
  type ButtonHTMLAttributes,
  cloneElement,
  lazy,
  type ReactElement,
  type ReactNode,
  Suspense,
  useState,
} from 'react';

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  isDanger?: boolean;
  isDisabled?: boolean;
}

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  /** null stands for a line between. */
  items: readonly (MenuItem | null)[];
  align?: 'start' | 'end';
  side?: 'top' | 'bottom';
  onOpenChange?: (isOpen: boolean) => void;
}

let isLoaded = false;
const load = async () => {
  const list = await import('./menu-list.tsx');
  isLoaded = true;
  return list;
};
const MenuList = lazy(load);
const loadEarly = (): void => void load().catch(() => undefined);

/** A list of things to do, below a button. Its script comes when somebody goes for the button. */
export function Menu(props: MenuProps) {
  const { onOpenChange } = props;
  const [isWanted, setIsWanted] = useState(isLoaded);
  const [isOpened, setIsOpened] = useState(false);
  // Every trigger is a button, without a click of its own.
  const trigger = props.trigger as ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
  const button = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': isOpened,
    onPointerEnter: loadEarly,
    onFocus: loadEarly,
    onClick: () => {
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
