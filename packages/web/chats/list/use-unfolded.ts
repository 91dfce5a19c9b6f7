import { useEffect, useState } from 'react';
import { storage } from '../../browser/storage.ts';
import type * as listRows from './list-rows.ts';

const KEY = 'parley.unfolded-groups';
/** Maximum number of unfolded groups that a device remembers; the oldest are forgotten. */
const MAX_KEPT = 100;

type Tree = Pick<typeof listRows, 'rowsOf' | 'openRowOf'>;

interface Unfolded {
  readonly unfolded: ReadonlySet<string>;
  readonly onUnfold: (chatId: string, isUnfolded: boolean) => void;
  /** What their rows are; null until a group is unfolded and this has loaded. */
  readonly tree: Tree | null;
}

/** The groups whose channels and threads the list shows. The device remembers them. */
export function useUnfolded(): Unfolded {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(
    () => new Set(storage.getItem(KEY)?.split(' ').filter(Boolean)),
  );
  const [onUnfold] = useState(() => (chatId: string, isUnfolded: boolean) => {
    setUnfolded((before) => {
      const others = [...before].filter((id) => id !== chatId);
      const next = isUnfolded ? [...others, chatId].slice(-MAX_KEPT) : others;
      storage.setItem(KEY, next.join(' '));
      return new Set(next);
    });
  });
  const [tree, setTree] = useState<Tree | null>(null);
  const isWanted = unfolded.size > 0;
  useEffect(() => {
    if (isWanted) void import('./list-rows.ts').then(setTree, () => undefined);
  }, [isWanted]);
  return { unfolded, onUnfold, tree };
}
