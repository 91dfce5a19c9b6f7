import { useRef, useState } from 'react';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Buttons } from '../../ui/layout/buttons.tsx';
import { Done } from '../../ui/states/done.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { dayText } from '../../words/times.ts';
import type { AuditFilter } from './audit-filter.ts';
import { csvHead, csvRow } from './csv.ts';
import { t } from '../../words/t.ts';

const PAGE = 200;

/** Saves all rows that the filter finds as a table, page by page: what was read is in the file's parts, not in the page. */
export function ExportAudit({ filter }: { filter: AuditFilter }) {
  const { client } = useSession();
  const [rows, setRows] = useState(0);
  const stop = useRef<AbortController | null>(null);
  const { isBusy, isDone, errorBut, submit } = useSubmit();

  const save = () =>
    submit(async () => {
      const { signal } = (stop.current = new AbortController());
      const parts = [new Blob([csvHead])];
      let cursor: string | undefined;
      let count = 0;
      do {
        const page = await client.call('getAudit', { ...filter, limit: PAGE, cursor }, { signal });
        parts.push(new Blob([page.items.map(csvRow).join('')]));
        count += page.items.length;
        setRows(count);
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      const address = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }));
      const link = document.createElement('a');
      link.href = address;
      link.download = `audit-${dayText(new Date())}.csv`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    });

  return (
    <>
      <Problem text={stop.current?.signal.aborted ? null : errorBut()} />
      <Buttons atStart>
        <Button size="small" isBusy={isBusy} onClick={() => void save()}>
          {t('Export as CSV')}
        </Button>
        {isBusy ? (
          <Button size="small" onClick={() => stop.current?.abort()}>
            {t('Cancel')}
          </Button>
        ) : null}
        <Done>{isBusy || isDone ? t('{count, plural, one {# row} other {# rows}}', { count: rows }) : ''}</Done>
      </Buttons>
    </>
  );
}
