import { useSyncExternalStore } from 'react';
import { onTheme, shownTheme } from './appearance.ts';
import { useMedia } from './use-media.ts';

/** Whether the page is dark now; renders again when that changes. */
export function useIsDark(): boolean {
  const isDevice = useMedia('(prefers-color-scheme: dark)');
  const theme = useSyncExternalStore(onTheme, shownTheme);
  return theme === 'system' ? isDevice : theme === 'dark';
}
