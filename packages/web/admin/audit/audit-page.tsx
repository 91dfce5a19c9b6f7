// What was done to the service, for its owners. May import: admin's own files.
import type { AuditRow } from '@parley/protocol';
import { useCallback, useMemo, useState } from 'react';
import { usePages } from '../../calls/use-pages.ts';
import { usePaused } from '../../calls/use-paused.ts';
import settings from '../../config/settings.module.css';
import { useSession } from '../../session/session.ts';
import { Field } from '../../ui/forms/field.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { fullTime } from '../../words/times.ts';
import { MoreButton } from '../more-button.tsx';
import { filterOf, nothing } from './audit-filter.ts';
import { ExportAudit } from './export-audit.tsx';
import { t } from '../../words/t.ts';

const PAGE = 50;
/** A name of an operation, which no language translates. */
const EXAMPLE = 'setAccountRole';

/** The audit, newest first: found by who did what to whom, and when. */
export function AuditPage() {
  const { client } = useSession();
  const [typed, setTyped] = useState(nothing);
  const sought = usePaused(typed);
  const filter = useMemo(() => filterOf(sought), [sought]);
  const fetch = useCallback(
    (cursor: string | undefined, signal?: AbortSignal) =>
      client.call('getAudit', { ...filter, limit: PAGE, cursor }, signal && { signal }),
    [client, filter],
  );
  const { loaded, more, isBusy } = usePages(fetch);
  const field = (name: keyof typeof nothing) => ({
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) =>
      setTyped((before) => ({ ...before, [name]: target.value })),
  });
  const word = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
  return (
    <Section
      title={t('Audit')}
      hint={t('What was done to the service, its accounts and their rights. Nothing here ever changes.')}
    >
      <div className={settings['pair']}>
        <Field label={t('Who did it')} placeholder={t('Username')} {...word} {...field('actor')} />
        <Field label={t('To whom or what')} placeholder={t('Username or ID')} {...word} {...field('target')} />
        <Field label={t('Action')} placeholder={EXAMPLE} {...word} {...field('action')} />
      </div>
      <div className={settings['pair']}>
        <Field label={t('From')} type="datetime-local" {...field('after')} />
        <Field label={t('Before')} type="datetime-local" {...field('before')} />
      </div>
      <ExportAudit filter={filter} />
      <LoadedView
        loaded={loaded}
        label={t('Loading the audit')}
        empty={t('Nothing matches.')}
        isEmpty={({ items }) => items.length === 0}
      >
        {({ items, next_cursor: next }) => (
          <>
            <ol className="ui-stack" aria-label={t('Audit')}>
              {items.map((row) => (
                <Row key={row.id} row={row} />
              ))}
            </ol>
            <MoreButton of={{ more, isBusy, next }} />
          </>
        )}
      </LoadedView>
    </Section>
  );
}

function Row({ row: { at, actor, action, target, details = {}, address } }: { row: AuditRow }) {
  const facts = Object.entries(details).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return (
    <li>
      <p className="ui-about ui-break">
        <bdi className="ui-medium">{actor ?? '–'}</bdi> · <bdi>{action}</bdi>
        {target === undefined ? null : (
          <>
            {' '}
            · <bdi>{target}</bdi>
          </>
        )}
      </p>
      {facts.length === 0 ? null : (
        <p className="ui-about ui-break" dir="auto">
          {facts.join(', ')}
        </p>
      )}
      <p className="ui-hint">{[fullTime(at), address ?? ''].filter((part) => part !== '').join(' · ')}</p>
    </li>
  );
}
