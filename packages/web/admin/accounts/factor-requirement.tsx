import { ApiError } from '@parley/client';
import type { ServiceSettings } from '@parley/protocol';
import { useCallback, useState } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSession } from '../../session/session.ts';
import { SelectField } from '../../ui/forms/field.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { t } from '../../words/t.ts';

type Required = ServiceSettings['second_factor'];
const choices: readonly { value: Required; label: string }[] = [
  { value: 'optional', label: t('Nobody') },
  { value: 'admins', label: t('Admins and owners') },
  { value: 'everyone', label: t('Everyone') },
];

/** Owners decide who needs two-step sign-in (WEB-772). */
export function FactorRequirement() {
  const { client } = useSession();
  const settings = useLoaded(useCallback(() => client.call('getServiceSettings'), [client]));
  const [asked, setAsked] = useState<Required | null>(null);
  if (!settings.value) return null;
  const set = async (second_factor: Required) =>
    settings.put(await client.call('setServiceSettings', { second_factor }));
  return (
    <Section title={t('Two-step sign-in')}>
      <SelectField
        label={t('Who needs it')}
        options={choices}
        value={settings.value.second_factor}
        onChange={({ target }) => setAsked(choices.find(({ value }) => value === target.value)?.value ?? null)}
      />
      {asked === null ? null : (
        <Confirm
          title={t('Change who needs two-step sign-in?')}
          text={
            asked === 'optional'
              ? t('Who has it keeps it, and may turn it off.')
              : t('Who lacks it is signed out now, and has to set it up at the next sign-in.')
          }
          action={t('Change')}
          say={ownFirst}
          onConfirm={() => set(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </Section>
  );
}

const ownFirst = (error: unknown) =>
  error instanceof ApiError && error.code === 'conflict'
    ? t('First set up two-step sign-in for yourself, in the settings of your account.')
    : null;
