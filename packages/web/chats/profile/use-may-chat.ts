import { useEffect, useState } from 'react';
import { mayBeginChat } from '../../session/may-begin-chat.ts';
import { useSession } from '../../session/session.ts';

/** Whether the user may begin a chat with an account (WEB-473); null until that is known. */
export function useMayChat(username: string): boolean | null {
  const session = useSession();
  const [may, setMay] = useState<boolean | null>(null);
  useEffect(() => {
    let isGone = false;
    void mayBeginChat(session, username).then((answer) => isGone || setMay(answer));
    return () => {
      isGone = true;
    };
  }, [session, username]);
  return may;
}
