import { ApiError } from '@parley/client';
import type { AccountRole, Report, ReportAction } from '@parley/protocol';
import { useCallback, useState } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/forms/choice.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Buttons } from '../../ui/layout/buttons.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { handleOf } from '../../words/shown-name.ts';
import { administers } from '../accounts/roles.ts';
import { t } from '../../words/t.ts';

interface ResolveFormProps {
  report: Report;
  /** The reader's role. */
  own: AccountRole;
  onResolved: (id: string) => void;
}

/** Resolves an open report. Disabling is offered to those who administer the person (REPORT-4). */
export function ResolveForm({ report, own, onResolved }: ResolveFormProps) {
  const { client } = useSession();
  const [person = report.sender] = report.sender.split(':');
  const load = useCallback(async () => client.call('getUser', { username: person }), [client, person]);
  const { value: account } = useLoaded(load);
  const [action, setAction] = useState<ReportAction>('none');
  const [note, setNote] = useState('');
  const { isBusy, errorOf, errorBut, submit } = useSubmit();
  const mayDisable = account?.role !== undefined && administers(own, account.role);

  const resolve = () =>
    submit(
      async () => {
        const said = note.trim() === '' ? {} : { note: note.trim() };
        await client.call('resolveReport', { report_id: report.id, action, ...said });
        onResolved(report.id);
      },
      (error) =>
        error instanceof ApiError && error.code === 'conflict'
          ? {
              field: null,
              text:
                action === 'disable'
                  ? t('It was resolved meanwhile, or this is the only owner of the service.')
                  : t('It was resolved meanwhile.'),
            }
          : null,
    );

  return (
    <Form onSubmit={resolve}>
      <Choice<ReportAction>
        label={t('What follows')}
        options={[
          { value: 'none', label: t('Nothing') },
          { value: 'delete', label: t('Delete the message for everyone') },
          ...(mayDisable
            ? [{ value: 'disable' as const, label: t('Disable {name}', { name: handleOf(person) }) }]
            : []),
        ]}
        value={action}
        onChange={setAction}
      />
      <TextField
        label={t('Note for the other moderators')}
        value={note}
        rows={2}
        dir="auto"
        error={errorOf('note')}
        onChange={({ target }) => setNote(target.value)}
      />
      <Problem text={errorBut('note')} ofForm />
      <Buttons>
        <Button type="submit" look={action === 'none' ? 'primary' : 'danger'} isBusy={isBusy}>
          {t('Resolve')}
        </Button>
      </Buttons>
    </Form>
  );
}
