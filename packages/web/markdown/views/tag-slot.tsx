import type { Tag } from '@parley/markdown';
import { type ComponentType, createContext, use } from 'react';

/** The component that renders tags. Passed by context, because text contains tags and tags contain text. */
export const TagSlotContext = createContext<ComponentType<{ tag: Tag }> | null>(null);

export function TagSlot({ tag }: { tag: Tag }) {
  const View = use(TagSlotContext);
  return View ? <View tag={tag} /> : null;
}
