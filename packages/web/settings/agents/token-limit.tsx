import type { MyBotConfig } from '@parley/protocol';
import { useSession } from '../../session/session.ts';
import { useForm } from '../../calls/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { FormField } from '../../ui/forms/form-field.tsx';
import { Saved } from '../../ui/states/done.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { agentFields } from './agent-fields.ts';
import { tokensIn } from './key-terms-input.ts';
import styles from '../../config/settings.module.css';
import { t } from '../../words/t.ts';

interface TokenLimitProps {
  config: MyBotConfig;
  field: 'monthly_token_cap' | 'group_monthly_tokens';
  onSaved: (config: MyBotConfig) => void;
}

const fields = {
  monthly_token_cap: {
    ...agentFields.group_monthly_tokens,
    label: t('Monthly token limit'),
    hint: t('When it’s reached, the agent says so instead of answering. You get a warning at 80%.'),
  },
  group_monthly_tokens: agentFields.group_monthly_tokens,
};

/** A limit of an agent's tokens: a number, or none. */
export function TokenLimit({ config, field, onSaved }: TokenLimitProps) {
  const { client } = useSession();
  const { username } = config.bot;
  const form = useForm({ [field]: fields[field] }, { [field]: String(config[field] ?? '') });
  const save = () =>
    form.send(async () =>
      onSaved(await client.call('setBotConfig', { username, [field]: tokensIn(form.field(field).value) ?? null })),
    );

  return (
    <Form className={styles['inline']} onSubmit={save}>
      <div>
        <FormField {...form.field(field)} />
        <Saved isDone={form.isDone} />
        <Problem text={form.otherError} />
      </div>
      <Button type="submit" isBusy={form.isBusy}>
        {t('Save')}
      </Button>
    </Form>
  );
}
