import { Ban } from 'lucide-react';
import { useState } from 'react';
import { useSubmit } from '../../calls/use-submit.ts';
import { Stack } from '../../ui/layout/stack.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { BlockDialog } from './block-dialog.tsx';
import { useBlock, useBlockedNames } from './use-block.ts';
import { useNameOf } from './use-name-of.ts';
import { t } from '../../words/t.ts';

/** Blocks an account, or takes back the block that applies to it. */
export function BlockButton({ username, displayName }: { username: string; displayName: string }) {
  const names = useBlockedNames();
  const blocked = useBlock(username);
  const owner = useNameOf(blocked ?? undefined);
  const [isAsking, setIsAsking] = useState(false);
  const { isBusy, errorBut, submit } = useSubmit();
  return (
    <>
      {blocked === null ? (
        <Button look="danger" onClick={() => setIsAsking(true)}>
          <Ban aria-hidden /> {t('Block')}
        </Button>
      ) : (
        <Stack>
          <p className="ui-hint">
            {blocked === username
              ? t('You blocked {name}. Neither of you can write here.', { name: displayName })
              : t('You blocked {owner}, whose agent this is. Neither of you can write here.', { owner })}
          </p>
          <Button isBusy={isBusy} onClick={() => void submit(() => names.unblock(blocked))}>
            {t('Unblock')}
          </Button>
        </Stack>
      )}
      <Problem text={errorBut()} />
      {isAsking ? (
        <BlockDialog username={username} displayName={displayName} onClose={() => setIsAsking(false)} />
      ) : null}
    </>
  );
}
