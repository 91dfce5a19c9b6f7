import type { MyBotConfig, Params, PaysFor } from '@parley/protocol';
import { useSession } from '../../session/session.ts';
import { useForm } from '../../calls/use-form.ts';
import { Choice } from '../../ui/forms/choice.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { FormField } from '../../ui/forms/form-field.tsx';
import { SaveButtons } from '../../ui/forms/save-buttons.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { agentFields, USUAL_DAILY_TOKENS } from './agent-fields.ts';
import { payers, payerMeanings } from './payers.ts';
import { tokensIn, modelsIn } from './key-terms-input.ts';
import { t } from '../../words/t.ts';

interface KeyTermsProps {
  config: MyBotConfig;
  onSaved: (config: MyBotConfig) => void;
}

const fields = {
  asker_daily_tokens: {
    ...agentFields.asker_daily_tokens,
    hint: t(
      'After that, the agent answers them again the next day (UTC). Enter 0 for none; leave it empty for {usual, number}.',
      { usual: USUAL_DAILY_TOKENS },
    ),
  },
  allowed_models: {
    ...agentFields.allowed_models,
    hint: t('One per line. Your limit for the length of replies applies to them too.'),
  },
};

/** Who may use the owner's key of an agent, with which models, and with how many tokens a day each. */
export function KeyTerms({ config, onSaved }: KeyTermsProps) {
  const { client } = useSession();
  const { username } = config.bot;
  const { pays_for = 'groups', allowed_models = [], asker_daily_tokens } = config;
  const form = useForm(fields, {
    asker_daily_tokens: String(asker_daily_tokens ?? ''),
    allowed_models: allowed_models.join('\n'),
  });
  const set = async (change: Omit<Params<'setBotConfig'>, 'username'>) =>
    onSaved(await client.call('setBotConfig', { username, ...change }));

  // Optimistic: restored if the service refuses it.
  async function choose(next: PaysFor) {
    onSaved({ ...config, pays_for: next });
    if (!(await form.submit(() => set({ pays_for: next })))) onSaved(config);
  }
  const save = () =>
    form.send(() =>
      set({
        asker_daily_tokens: tokensIn(form.draft.asker_daily_tokens) ?? null,
        allowed_models: modelsIn(form.draft.allowed_models),
      }),
    );

  return (
    <Form onSubmit={save}>
      <Choice
        label={t('Who else may use your key')}
        options={payers}
        value={pays_for}
        onChange={(next) => void choose(next)}
      />
      <p className="ui-about">{payerMeanings[pays_for]}</p>
      <FormField {...form.field('asker_daily_tokens')} />
      <FormField {...form.field('allowed_models')} />
      <Problem text={form.otherError} ofForm />
      <SaveButtons isBusy={form.isBusy} isDone={form.isDone} />
    </Form>
  );
}
