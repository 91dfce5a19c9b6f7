import { useEffect, useRef, useState } from 'react';
import { type Entry, exchangeSignIn, signOut, useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/overlays/confirm.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { handleOf } from '../words/shown-name.ts';
import { t } from '../words/t.ts';

/**
 * A browser that is signed in comes back from a sign-in at an issuer: says so if it is the same account, otherwise asks
 * whether to change to the other one. Nothing changes without that (WEB-743).
 */
export default function SignInAnew({ code }: { code: string }) {
  const session = useSession();
  const { username } = session;
  const [answer, setAnswer] = useState<Entry | 'lapsed' | null>(null);
  const [isOver, setIsOver] = useState(false);
  const isTaken = useRef(false);
  useEffect(() => {
    let isCurrent = true;
    exchangeSignIn(code).then(
      (entry) => {
        // The session that this browser has goes on.
        if (entry.username === username) void entry.end();
        if (isCurrent) setAnswer(entry);
      },
      () => isCurrent && setAnswer('lapsed'),
    );
    return () => {
      isCurrent = false;
    };
  }, [code, username]);
  if (answer === null || isOver) return null;
  const close = () => setIsOver(true);
  if (answer === 'lapsed' || answer.username === username)
    return (
      <Dialog
        title={t('You’re signed in already')}
        isOpen
        onClose={close}
        footer={
          <Button look="primary" onClick={close}>
            {t('Close')}
          </Button>
        }
      >
        <p className="ui-about">{t('This browser is signed in as {name}.', { name: handleOf(username) })}</p>
      </Dialog>
    );
  return (
    <Confirm
      title={t('Change accounts?')}
      text={t('This browser is signed in as {name}. You have just signed in as {other}.', {
        name: handleOf(username),
        other: handleOf(answer.username),
      })}
      action={t('Change to {name}', { name: handleOf(answer.username) })}
      onConfirm={async () => {
        isTaken.current = true;
        await signOut(session);
        answer.enter();
        // A page of the other account from its beginning.
        location.reload();
      }}
      onClose={() => {
        close();
        if (!isTaken.current) void answer.end();
      }}
    />
  );
}
