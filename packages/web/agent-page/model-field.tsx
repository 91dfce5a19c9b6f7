import type { Params } from '@parley/protocol';
import { useCallback, useId } from 'react';
import { useLoaded } from '../calls/use-loaded.ts';
import { makers } from '../settings/agents/makers.ts';
import { useSession } from '../session/session.ts';
import { FormField } from '../ui/forms/form-field.tsx';
import type { AgentForm } from './agent-form.ts';
import { t } from '../words/t.ts';

/** The name of the model. Suggests what the server offers where the service can ask it; any name can be typed. */
export function ModelField({ form }: { form: AgentForm }) {
  const { client } = useSession();
  const { draft, field } = form;
  const listId = useId();
  const { username, provider } = sourceOf(form);
  const load = useCallback(async () => {
    if (username === undefined && provider === undefined) return [];
    return (await client.call('getModels', username === undefined ? { provider } : { username })).items;
  }, [client, username, provider]);
  // Not every server has a list: then the field is as useful as without one.
  const { value: models = [] } = useLoaded(load);
  const isOwn = draft.place === 'own';
  const hint = isOwn
    ? t('The name that the server uses.')
    : t('The name that {name} uses. Leave it empty for the default model.', { name: makers[draft.provider].name });
  return (
    <>
      <FormField
        {...field('model')}
        list={listId}
        placeholder={isOwn ? 'llama3.2' : t('The default model')}
        hint={models.length === 0 ? hint : `${hint} ${offered(models.length)}`}
      />
      <datalist id={listId}>
        {models.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}

const offered = (count: number): string =>
  t('{count, plural, one {# model is suggested} other {# models are suggested}} as you type.', { count });

/** Whom to ask for models: a server that the form names only is not asked before it is saved. */
function sourceOf({ draft, agent, hasProviderKey }: AgentForm): Params<'getModels'> {
  if (agent && draft.place === 'own')
    return agent.base_url === draft.base_url.trim() ? { username: agent.username } : {};
  return draft.place !== 'own' && hasProviderKey ? { provider: draft.provider } : {};
}
