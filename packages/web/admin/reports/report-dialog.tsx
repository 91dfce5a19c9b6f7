import type { AccountRole, Report, ReportedMessage } from '@parley/protocol';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { handleOf, shownName } from '../../words/shown-name.ts';
import { fullTime } from '../../words/times.ts';
import { ResolveForm } from './resolve-form.tsx';
import { resolutionTitles } from './resolutions.ts';
import { wholeNumber } from '../../words/whole-number.ts';
import { t } from '../../words/t.ts';

interface ReportDialogProps {
  report: Report;
  /** The reader's role. */
  own: AccountRole;
  onResolved: (id: string) => void;
  onClose: () => void;
}

/** A report: who made it and why, the message with its neighbours as they were, and what follows. */
export function ReportDialog({ report, own, onResolved, onClose }: ReportDialogProps) {
  const { message, before = [], after = [], reporters, reporter_count: count, resolution, sender } = report;
  const others = count - reporters.length;
  return (
    <Dialog title={t('A message of {name}', { name: handleOf(sender) })} isOpen onClose={onClose} shape="wide">
      <Stack>
        {message ? (
          <ol className="ui-stack" aria-label={t('The message and its neighbors')}>
            {[...before, message, ...after].map((one) => (
              <Said key={one.id} message={one} isReported={one === message} />
            ))}
          </ol>
        ) : null}
        <Facts>
          {reporters.map(({ username, reason, at }) => (
            <Fact key={username} name={t('{name}, {time}', { name: handleOf(username), time: fullTime(at) })}>
              {reason ?? t('without a reason')}
            </Fact>
          ))}
          {others > 0 ? <Fact name={t('Others who reported it')}>{wholeNumber(others)}</Fact> : null}
          {resolution ? (
            <>
              <Fact name={t('Resolved')}>{fullTime(resolution.at)}</Fact>
              {resolution.by === undefined ? null : <Fact name={t('Resolved by')}>{handleOf(resolution.by)}</Fact>}
              <Fact name={t('Result')}>{resolutionTitles[resolution.action]}</Fact>
              {resolution.note === undefined ? null : <Fact name={t('Note')}>{resolution.note}</Fact>}
            </>
          ) : null}
        </Facts>
        {resolution ? null : <ResolveForm report={report} own={own} onResolved={onResolved} />}
      </Stack>
    </Dialog>
  );
}

/** A message as it was when it was reported: its text as it was written, and what was attached by name. */
function Said({ message, isReported }: { message: ReportedMessage; isReported: boolean }) {
  const { sender, content, is_cut, attachments, created_at } = message;
  return (
    <li className={isReported ? 'ui-card' : undefined}>
      <p className="ui-about">
        {[shownName(sender), fullTime(created_at), isReported ? t('Reported') : ''].filter((part) => part).join(' · ')}
      </p>
      <div className="ui-break" dir="auto">
        {content}
        {is_cut ? ' …' : ''}
      </div>
      {attachments.length === 0 ? null : (
        <p className="ui-about">{attachments.map(({ name, kind }) => name ?? kind).join(', ')}</p>
      )}
    </li>
  );
}
