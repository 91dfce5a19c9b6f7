import { ApiError } from '@parley/client';
import { useSession } from '../../session/session.ts';
import { useForm } from '../../calls/use-form.ts';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { FormField } from '../../ui/forms/form-field.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { usePasswordQuestion } from '../account/ask-password.tsx';
import { agentFields } from '../agents/agent-fields.ts';
import { parseSchemas } from './schemas.ts';
import styles from '../../config/settings.module.css';
import { t } from '../../words/t.ts';

interface NewBotProps {
  onMade: (token: string) => void;
  onClose: () => void;
}

const example = '{ "config_schema": [{ "key": "city", "label": "City", "type": "string" }], "secret_schema": [] }';

const fields = {
  display_name: agentFields.display_name,
  slug: {
    ...agentFields.slug,
    problem: (typed: string) =>
      /^[a-z0-9_]{1,32}$/.test(typed) ? null : t('Use up to 32 lowercase letters, digits and _.'),
  },
  schemas: {
    kind: 'code',
    rows: 5,
    label: t('Fields, as JSON'),
    placeholder: example,
    hint: t('See the documentation at /docs for what a field can have.'),
    problem: (typed: string) =>
      parseSchemas(typed) === null ? t('This isn’t valid JSON in the form of the example.') : null,
  },
} as const;

/** The form for a new bot: name, handle and settings schema. */
export function NewBot({ onMade, onClose }: NewBotProps) {
  const { client, username } = useSession();
  const form = useForm(fields, { display_name: '', slug: '', schemas: '' });
  const { display_name, slug, schemas } = form.draft;
  const { ask, dialog } = usePasswordQuestion();

  const create = () =>
    form.send(
      async () => {
        const { token } = await ask((given) =>
          client.call('createBot', { slug, display_name: display_name.trim(), ...parseSchemas(schemas), ...given }),
        );
        onMade(token);
      },
      (error) => {
        if (!(error instanceof ApiError)) return null;
        if (error.code === 'conflict')
          return { field: 'slug', text: t('You have or had an agent with this handle. Choose another.') };
        const { field } = error.parameters;
        return typeof field === 'string' && /^(?:config|secret)_schema/.test(field)
          ? { field: 'schemas', text: error.description }
          : null;
      },
    );

  return (
    <FormDialog
      title={t('New bot')}
      action={t('Create bot')}
      isBusy={form.isBusy}
      onSubmit={create}
      onClose={onClose}
      nested={dialog}
    >
      <FormField {...form.field('display_name')} />
      <FormField
        {...form.field('slug')}
        hint={t('People mention it as @{username}:{handle}.', {
          username,
          handle: slug === '' ? t('handle') : slug,
        })}
        onType={(typed) => form.change({ slug: typed.toLowerCase() })}
      />
      <details className={styles['more']}>
        <summary>{t('Settings that people can change')}</summary>
        <FormField {...form.field('schemas')} />
      </details>
      <Problem text={form.otherError} ofForm />
    </FormDialog>
  );
}
