// Messages that people have reported. May import: admin's own files, accounts.
import type { AccountRole, Report, ReportState } from '@parley/protocol';
import { useCallback, useState } from 'react';
import { usePages } from '../../calls/use-pages.ts';
import { useSession } from '../../session/session.ts';
import { SelectField } from '../../ui/forms/field.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { handleOf } from '../../words/shown-name.ts';
import { shortTime } from '../../words/times.ts';
import { MoreButton } from '../more-button.tsx';
import { RowList } from '../row-list.tsx';
import { ReportDialog } from './report-dialog.tsx';
import { resolutionTitles } from './resolutions.ts';
import { t } from '../../words/t.ts';

const PAGE = 50;
const states: readonly { value: ReportState; label: string }[] = [
  { value: 'open', label: t('Open reports') },
  { value: 'resolved', label: t('Resolved reports') },
];

/** Open reports, oldest first, or those that were resolved in the last 30 days. */
export function ReportsPage({ role }: { role: AccountRole }) {
  const { client } = useSession();
  const [state, setState] = useState<ReportState>('open');
  const fetch = useCallback(
    (cursor: string | undefined, signal?: AbortSignal) =>
      client.call('getReports', { state, limit: PAGE, cursor }, signal && { signal }),
    [client, state],
  );
  const { loaded, more, isBusy } = usePages(fetch);
  const [open, setOpen] = useState<string | null>(null);
  const shown = loaded.value?.items.find(({ id }) => id === open);

  function resolved(id: string) {
    loaded.change((before) => ({ ...before, items: before.items.filter((one) => one.id !== id) }));
    setOpen(null);
  }

  return (
    <Section
      title={t('Reports')}
      hint={t('Of a conversation you see the reported message and its neighbors, and nothing else.')}
    >
      <SelectField
        label={t('Show')}
        options={states}
        value={state}
        onChange={({ target }) => setState(target.value === 'open' ? 'open' : 'resolved')}
      />
      <LoadedView
        loaded={loaded}
        label={t('Loading reports')}
        empty={state === 'open' ? t('There are no open reports.') : t('No report was resolved in the last 30 days.')}
        isEmpty={({ items }) => items.length === 0}
      >
        {({ items, next_cursor: next }) => (
          <>
            <RowList label={t('Reports')} items={items} keyOf={({ id }) => id} onPress={({ id }) => setOpen(id)}>
              {(report) => <ReportLine report={report} />}
            </RowList>
            <MoreButton of={{ more, isBusy, next }} />
          </>
        )}
      </LoadedView>
      {shown ? <ReportDialog report={shown} own={role} onResolved={resolved} onClose={() => setOpen(null)} /> : null}
    </Section>
  );
}

function ReportLine({ report }: { report: Report }) {
  const { sender, message, reporters, reporter_count: count, resolution, created_at } = report;
  const about = resolution
    ? resolutionTitles[resolution.action]
    : ((message?.content || reporters.find(({ reason }) => reason !== undefined)?.reason) ?? '');
  return (
    <>
      <span className="ui-lines">
        <span className="ui-line ui-name">{t('A message of {name}', { name: handleOf(sender) })}</span>
        <span className="ui-line ui-note" dir="auto">
          {about}
        </span>
        <span className="ui-line ui-note">
          {t('{count, plural, one {reported by # person} other {reported by # people}}', { count })}
        </span>
      </span>
      <span className="ui-time">{shortTime(resolution?.at ?? created_at)}</span>
    </>
  );
}
