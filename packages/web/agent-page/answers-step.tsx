import { Choice } from '../ui/forms/choice.tsx';
import { FormField } from '../ui/forms/form-field.tsx';
import { Switch } from '../ui/forms/switch.tsx';
import { Stack } from '../ui/layout/stack.tsx';
import { makers } from '../settings/agents/makers.ts';
import settings from '../config/settings.module.css';
import type { Place } from './agent-draft.ts';
import type { AgentForm } from './agent-form.ts';
import { ModelField } from './model-field.tsx';
import { More } from './more.tsx';
import { KeyField } from './key-field.tsx';
import { ToolsField } from './tools-field.tsx';
import { t } from '../words/t.ts';

const places: readonly { value: Place; label: string }[] = [
  { value: 'provider_a', label: makers.provider_a.name },
  { value: 'provider_b', label: makers.provider_b.name },
  { value: 'own', label: t('Own server') },
];

/** The second step: the instructions, the model, and the server and key that it runs with. */
export function AnswersStep({ form }: { form: AgentForm }) {
  const { draft, agent, change, field, errorOf } = form;
  const isOwn = draft.place === 'own';
  // The provider of an agent never changes, and the agents that everyone has run only there.
  const possible = places.filter(
    ({ value }) => !agent || value === draft.provider || (value === 'own' && !agent.is_default),
  );
  function move(place: Place) {
    if (agent) return change({ place, api_key: '' });
    return change({ place, api_key: '', provider: place === 'own' ? 'provider_b' : place });
  }
  return (
    <>
      <FormField {...field('system_prompt')} />
      {possible.length > 1 ? (
        <Choice label={t('Where its model runs')} options={possible} value={draft.place} onChange={move} />
      ) : null}
      {isOwn ? <FormField {...field('base_url')} /> : null}
      {isOwn && !agent ? <FormField {...field('provider')} /> : null}
      <ModelField form={form} />
      <KeyField form={form} />
      <More hasError={(errorOf('temperature') ?? errorOf('max_output_tokens') ?? errorOf('thinking')) !== null}>
        <div className={settings['pair']}>
          <FormField {...field('temperature')} />
          <FormField {...field('max_output_tokens')} />
        </div>
        <FormField {...field('thinking')} />
        {isOwn ? null : (
          <Switch
            label={t('Web search')}
            hint={t('It may search the web for an answer. The provider bills each search.')}
            isOn={draft.web_search}
            onChange={(web_search) => change({ web_search })}
          />
        )}
      </More>
      <Reading form={form} />
      <ToolsField chosen={draft.built_in_tools} onChange={(built_in_tools) => change({ built_in_tools })} />
    </>
  );
}

/** How much of a conversation the model receives (CUSTOM-11). */
function Reading({ form }: { form: AgentForm }) {
  const { draft, change, field, errorOf } = form;
  return (
    <More label={t('What it reads')} hasError={(errorOf('context.messages') ?? errorOf('context.characters')) !== null}>
      <Stack>
        <p className="ui-about">
          {t(
            'With each question, the model gets the newest messages of the conversation. With fewer messages an answer costs less, but the agent forgets sooner what was said before.',
          )}
        </p>
        <div className={settings['pair']}>
          <FormField {...field('context_messages')} />
          <FormField {...field('context_characters')} />
        </div>
        <Switch
          label={t('Photos and files too')}
          hint={t('It sees the photos and files of these messages if its model can read them.')}
          isOn={draft.context_files}
          onChange={(context_files) => change({ context_files })}
        />
      </Stack>
    </More>
  );
}
