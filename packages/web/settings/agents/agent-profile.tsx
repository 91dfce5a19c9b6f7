import type { Account, Agent, Params } from '@parley/protocol';
import { useSession } from '../../session/session.ts';
import { useForm } from '../../calls/use-form.ts';
import { Form } from '../../ui/forms/form.tsx';
import { FormField } from '../../ui/forms/form-field.tsx';
import { SaveButtons } from '../../ui/forms/save-buttons.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { AvatarPicker } from '../../files/avatar-picker.tsx';
import { agentFields } from './agent-fields.ts';
import { t } from '../../words/t.ts';

interface AgentProfileProps {
  account: Account;
  onSaved: (agent: Agent) => void;
}

const fields = {
  display_name: {
    ...agentFields.display_name,
    problem: (typed: string) => (typed.trim() === '' ? t('Enter a name so others recognize it.') : null),
  },
  description: agentFields.description,
};

/** The form for the name, description and picture of one's agent or bot, which everyone sees who sees it. */
export function AgentProfile({ account, onSaved }: AgentProfileProps) {
  const { client } = useSession();
  const { username, display_name, bio = '', avatar_url: url } = account;
  const form = useForm(fields, { display_name, description: bio });
  const change = async (part: Omit<Params<'updateAgent'>, 'username'>) =>
    onSaved(await client.call('updateAgent', { username, ...part }));
  const { draft } = form;
  const save = () =>
    form.send(() => change({ display_name: draft.display_name.trim(), description: draft.description.trim() }));
  return (
    <Stack>
      <AvatarPicker
        who={{ name: display_name, username, kind: 'agent', url }}
        onChange={(photo) => change({ avatar_file_id: photo?.id ?? null })}
      />
      <Form onSubmit={save}>
        <FormField
          {...form.field('display_name')}
          hint={t('Everyone who talks with it sees this name. It stays @{username}.', { username })}
        />
        <FormField {...form.field('description')} />
        <Problem text={form.otherError} ofForm />
        <SaveButtons isBusy={form.isBusy} isDone={form.isDone} look="plain" />
      </Form>
    </Stack>
  );
}
