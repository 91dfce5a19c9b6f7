import type { Thinking } from '@parley/protocol';
import { Choice } from '../ui/forms/choice.tsx';
import { Field, TextField } from '../ui/forms/field.tsx';
import { Switch } from '../ui/forms/switch.tsx';
import { SelectField } from '../ui/forms/select-field.tsx';
import { makers } from '../settings/agents/makers.ts';
import settings from '../config/settings.module.css';
import type { Place } from './agent-draft.ts';
import type { AgentForm } from './agent-form.ts';
import { ModelField } from './model-field.tsx';
import { More } from './more.tsx';
import { KeyField } from './key-field.tsx';
import { t } from '../words/t.ts';

const places: readonly { value: Place; label: string }[] = [
  { value: 'provider_a', label: makers.provider_a.name },
  { value: 'provider_b', label: makers.provider_b.name },
  { value: 'own', label: t('Own server') },
];

const efforts: readonly { value: Thinking; label: string }[] = [
  { value: 'off', label: t('Off') },
  { value: 'low', label: t('Low') },
  { value: 'medium', label: t('Medium') },
  { value: 'high', label: t('High') },
];

const protocols = [
  { value: 'provider_b', label: t('OpenAI’s API (most servers)') },
  { value: 'provider_a', label: t('Anthropic’s API') },
] as const;

/** The second step: the instructions, the model, and the server and key that it runs with. */
export function AnswersStep({ form }: { form: AgentForm }) {
  const { draft, agent, change, errorOf } = form;
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
      <TextField
        label={t('Instructions')}
        rows={9}
        dir="auto"
        placeholder={t('You are … People ask you to … Always … Never …')}
        hint={t(
          'The model reads them before every conversation. People can find out what they say, so don’t put secrets in.',
        )}
        value={draft.system_prompt}
        error={errorOf('system_prompt')}
        onChange={({ target }) => change({ system_prompt: target.value })}
      />
      {possible.length > 1 ? (
        <Choice label={t('Where its model runs')} options={possible} value={draft.place} onChange={move} />
      ) : null}
      {isOwn ? (
        <Field
          label={t('Address of the server')}
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://models.example.com/v1"
          hint={t(
            'Ollama, vLLM, LM Studio, OpenRouter or a similar server. The address usually ends in /v1. Conversations are sent there.',
          )}
          value={draft.base_url}
          error={errorOf('base_url')}
          onChange={({ target }) => change({ base_url: target.value })}
        />
      ) : null}
      {isOwn && !agent ? (
        <SelectField
          label={t('API of the server')}
          options={protocols}
          value={draft.provider}
          error={errorOf('provider')}
          onChange={({ target }) => change({ provider: target.value === 'provider_a' ? 'provider_a' : 'provider_b' })}
        />
      ) : null}
      <ModelField form={form} />
      <KeyField form={form} />
      <More hasError={(errorOf('temperature') ?? errorOf('max_output_tokens') ?? errorOf('thinking')) !== null}>
        <div className={settings['pair']}>
          <Field
            label={t('Temperature')}
            inputMode="decimal"
            autoComplete="off"
            placeholder={t('The model’s default')}
            hint={t('From 0 (predictable) to 2 (creative).')}
            value={draft.temperature}
            error={errorOf('temperature')}
            onChange={({ target }) => change({ temperature: target.value })}
          />
          <Field
            label={t('Longest reply, in tokens')}
            inputMode="numeric"
            autoComplete="off"
            placeholder="4096"
            hint={t('A token is about four characters.')}
            value={draft.max_output_tokens}
            error={errorOf('max_output_tokens')}
            onChange={({ target }) => change({ max_output_tokens: target.value })}
          />
        </div>
        <SelectField
          label={t('Thinking')}
          options={efforts}
          hint={t('Thinking takes time and tokens. People can unfold the thoughts. Not every model can think.')}
          value={draft.thinking}
          error={errorOf('thinking')}
          onChange={({ target }) =>
            change({ thinking: efforts.find(({ value }) => value === target.value)?.value ?? 'off' })
          }
        />
      </More>
      <Reading form={form} />
    </>
  );
}

/** How much of a conversation the model receives (CUSTOM-11). */
function Reading({ form }: { form: AgentForm }) {
  const { draft, change, errorOf } = form;
  const [messages, characters] = [errorOf('context.messages'), errorOf('context.characters')];
  return (
    <More label={t('What it reads')} hasError={(messages ?? characters) !== null}>
      <div className={settings['form']}>
        <p className={settings['faint']}>
          {t(
            'With each question, the model gets the newest messages of the conversation. With fewer messages an answer costs less, but the agent forgets sooner what was said before.',
          )}
        </p>
        <div className={settings['pair']}>
          <Field
            label={t('Messages, at most')}
            inputMode="numeric"
            autoComplete="off"
            placeholder="40"
            hint={t('From 1 to 40, including the question.')}
            value={draft.context_messages}
            error={messages}
            onChange={({ target }) => change({ context_messages: target.value })}
          />
          <Field
            label={t('Characters, at most')}
            inputMode="numeric"
            autoComplete="off"
            placeholder="32000"
            hint={t('From 500 to 32,000, in all these messages together.')}
            value={draft.context_characters}
            error={characters}
            onChange={({ target }) => change({ context_characters: target.value })}
          />
        </div>
        <Switch
          label={t('Photos and files too')}
          hint={t('It sees the photos and files of these messages if its model can read them.')}
          isOn={draft.context_files}
          onChange={(context_files) => change({ context_files })}
        />
      </div>
    </More>
  );
}
