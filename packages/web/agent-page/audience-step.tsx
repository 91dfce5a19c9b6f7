import { Choice } from '../ui/forms/choice.tsx';
import { FormField } from '../ui/forms/form-field.tsx';
import { Stack } from '../ui/layout/stack.tsx';
import { AudienceChoice } from '../settings/agents/audience-choice.tsx';
import { payerMeanings, payers } from '../settings/agents/payers.ts';
import type { AgentForm } from './agent-form.ts';
import { More } from './more.tsx';
import { t } from '../words/t.ts';

/** The third step: who may talk to the agent, and who pays. */
export function AudienceStep({ form }: { form: AgentForm }) {
  const { draft, change, field, errorOf } = form;
  return (
    <>
      <AudienceChoice value={draft.visibility} onChange={(visibility) => change({ visibility })} />
      <Stack>
        <Choice
          label={t('Who else may use your key')}
          options={payers}
          value={draft.pays_for}
          onChange={(pays_for) => change({ pays_for })}
        />
        <p className="ui-about">{payerMeanings[draft.pays_for]}</p>
      </Stack>
      {draft.pays_for === 'nobody' ? null : <FormField {...field('asker_daily_tokens')} />}
      <FormField {...field('group_monthly_tokens')} />
      {draft.pays_for === 'nobody' ? null : (
        <More hasError={errorOf('allowed_models') !== null}>
          <FormField {...field('allowed_models')} />
        </More>
      )}
    </>
  );
}
