import { FormField } from '../ui/forms/form-field.tsx';
import { makers } from '../settings/agents/makers.ts';
import type { AgentForm } from './agent-form.ts';
import { rich, t } from '../words/t.ts';

/** The key that the agent answers with: one for its own server alone, or the user's key of the provider. */
export function KeyField({ form }: { form: AgentForm }) {
  const { draft, agent, hasProviderKey, change, errorOf } = form;
  const { name, place, href } = makers[draft.provider];
  const common = {
    kind: 'secret',
    value: draft.api_key,
    error: errorOf('api_key') ?? errorOf('secrets.api_key'),
    onType: (api_key: string) => change({ api_key }),
  } as const;
  if (draft.place === 'own') {
    const isSet = agent?.key_configured === true && agent.base_url === draft.base_url.trim();
    return (
      <FormField
        {...common}
        label={t('API key for this server')}
        placeholder={isSet ? t('A key is set. Type a new one to replace it.') : ''}
        hint={
          agent?.base_url === undefined || agent.base_url === draft.base_url.trim()
            ? t('Leave it empty if the server needs none. It is sent to this server only.')
            : t('Keys that were set for another server are removed when you save.')
        }
      />
    );
  }
  if (hasProviderKey || agent?.key_configured === true)
    return <p className="ui-about">{t('It answers with your {name} key.', { name })}</p>;
  return (
    <FormField
      {...common}
      label={t('{name} API key', { name })}
      hint={rich(
        'You don’t have one yet. Create one at <link>{place}</link>. All your agents at {name} use it, and it is never shown again.',
        {
          name,
          place,
          link: (text) => (
            <a href={href} target="_blank" rel="noreferrer">
              {text}
            </a>
          ),
        },
      )}
    />
  );
}
