import { useCallback } from 'react';
import { usePage } from '../../browser/page.ts';

/** Goes to the start page if the conversation is still the open one: the user may have opened another meanwhile. */
export function useCloseChat(): (chatId: string) => void {
  const { navigation } = usePage();
  return useCallback(
    (chatId) => {
      const route = navigation.get();
      if (route.name === 'chat' && route.chatId === chatId) navigation.navigate({ name: 'home' }, { replace: true });
    },
    [navigation],
  );
}
