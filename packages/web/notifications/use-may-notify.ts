import { useEffect, useState } from 'react';

/** Whether the browser lets the app show notifications. */
export const mayNotify = (): boolean => 'Notification' in globalThis && Notification.permission === 'granted';

/** The same, followed: what shows notifications loads once they are allowed. */
export function useMayNotify(): boolean {
  const [may, setMay] = useState(mayNotify);
  useEffect(() => {
    const look = () => setMay(mayNotify());
    let permission: PermissionStatus | undefined;
    // Some browsers do not say when it changes: coming back to the page does.
    void navigator.permissions?.query({ name: 'notifications' }).then(
      (found) => (permission = found).addEventListener('change', look),
      () => undefined,
    );
    addEventListener('focus', look);
    return () => {
      permission?.removeEventListener('change', look);
      removeEventListener('focus', look);
    };
  }, []);
  return may;
}
