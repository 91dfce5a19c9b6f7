import { useState } from 'react';
import { useStore } from '../session/session.ts';
import { useCell } from '../session/use-cell.ts';
import { recentEmoji } from './recent-emoji.ts';
import { customName } from './written-emoji.ts';

/** Emoji recently chosen in this browser, when the component was mounted; without custom ones that were deleted. */
export function useRecentEmoji(): readonly string[] {
  const [recent] = useState(recentEmoji);
  const custom = useCell(useStore().customEmoji);
  const names = new Set(custom.map(({ name }) => name));
  return recent.filter((emoji) => {
    const name = customName(emoji);
    return name === undefined || names.has(name);
  });
}
