import { Choice } from '../ui/forms/choice.tsx';
import { Field, TextField } from '../ui/forms/field.tsx';
import { AudienceChoice } from '../settings/agents/audience-choice.tsx';
import { groupBudget } from '../settings/agents/group-budget.ts';
import { payerMeanings, payers } from '../settings/agents/payers.ts';
import settings from '../config/settings.module.css';
import type { AgentForm } from './agent-form.ts';
import { More } from './more.tsx';
import { t } from '../words/t.ts';

/** The third step: who may talk to the agent, and who pays. */
export function AudienceStep({ form }: { form: AgentForm }) {
  const { draft, change, errorOf } = form;
  return (
    <>
      <AudienceChoice value={draft.visibility} onChange={(visibility) => change({ visibility })} />
      <div className={settings['form']}>
        <Choice
          label={t('Who else may use your key')}
          options={payers}
          value={draft.pays_for}
          onChange={(pays_for) => change({ pays_for })}
        />
        <p className={settings['faint']}>{payerMeanings[draft.pays_for]}</p>
      </div>
      {draft.pays_for === 'nobody' ? null : (
        <Field
          label={t('Daily tokens for each of them')}
          inputMode="numeric"
          autoComplete="off"
          placeholder="200000"
          hint={t('Enter 0 for none; leave it empty for 200,000.')}
          value={draft.asker_daily_tokens}
          error={errorOf('asker_daily_tokens')}
          onChange={({ target }) => change({ asker_daily_tokens: target.value })}
        />
      )}
      <Field
        label={groupBudget.label}
        inputMode="numeric"
        autoComplete="off"
        placeholder={t('No limit')}
        hint={groupBudget.hint}
        value={draft.group_monthly_tokens}
        error={errorOf('group_monthly_tokens')}
        onChange={({ target }) => change({ group_monthly_tokens: target.value })}
      />
      {draft.pays_for === 'nobody' ? null : (
        <More hasError={errorOf('allowed_models') !== null}>
          <TextField
            label={t('Models they may choose')}
            rows={3}
            autoComplete="off"
            spellCheck={false}
            placeholder={t('None: they use the model you set')}
            hint={t('One per line.')}
            value={draft.allowed_models}
            error={errorOf('allowed_models')}
            onChange={({ target }) => change({ allowed_models: target.value })}
          />
        </More>
      )}
    </>
  );
}
