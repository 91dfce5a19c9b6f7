import type { Pages } from '../calls/use-pages.ts';
import { useSubmit } from '../calls/use-submit.ts';
import { Button } from '../ui/button.tsx';
import { Buttons } from '../ui/layout/buttons.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { t } from '../words/t.ts';

/** Loads the next page of a list, if there is one. */
export function MoreButton({
  of,
}: {
  of: Pick<Pages<{ items: readonly unknown[] }>, 'more' | 'isBusy'> & { next: string | undefined };
}) {
  const { errorBut, submit } = useSubmit();
  if (of.next === undefined) return null;
  return (
    <>
      <Problem text={errorBut()} />
      <Buttons atStart>
        <Button size="small" isBusy={of.isBusy} onClick={() => void submit(of.more)}>
          {t('Show more')}
        </Button>
      </Buttons>
    </>
  );
}
