import { type ComponentType, createContext, use } from 'react';
import type { Tag } from '../parser/tree.ts';

/** Shows tags. Text holds tags, which hold text: what shows the one does not import what shows the other. */
export const TagSlotContext = createContext<ComponentType<{ tag: Tag }> | null>(null);

export function TagSlot({ tag }: { tag: Tag }) {
  const View = use(TagSlotContext);
  return View ? <View tag={tag} /> : null;
}
