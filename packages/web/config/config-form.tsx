// Forms for the settings that agents declare, and the styles of all settings pages. May import: browser, words, calls,
// ui, session.
import { ApiError } from '@parley/client';
import type { MyBotConfig } from '@parley/protocol';
import { useState } from 'react';
import { useSession } from '../session/session.ts';
import { useSubmit } from '../calls/use-submit.ts';
import { Form } from '../ui/forms/form.tsx';
import { SaveButtons } from '../ui/forms/save-buttons.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { given, problemsOf, type SecretChanges, type Values } from './fields.ts';
import { FieldsForm } from './fields-form.tsx';
import { SecretsForm } from './secrets-form.tsx';
import { wordedFields } from './worded-fields.ts';
import { t } from '../words/t.ts';

interface ConfigFormProps {
  config: MyBotConfig;
  /** `owner` edits the values for everyone; `own` edits the user's own values, which override them. */
  layer: 'owner' | 'own';
  /** Secrets that the owner has set for everyone. */
  without?: readonly string[];
  /** Receives the settings as the service has them: saved here, or changed by the owner meanwhile. */
  onConfig: (config: MyBotConfig) => void;
}

/** The form for an agent's settings, of the owner or of one user. */
export function ConfigForm({ config, layer, without = [], onConfig }: ConfigFormProps) {
  const { client } = useSession();
  const isOwner = layer === 'owner';
  const [values, setValues] = useState<Values>(isOwner ? config.owner_config : config.my_config);
  const [secrets, setSecrets] = useState<SecretChanges>({});
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  // Incremented after each save, so that the inputs of saved secrets are masked again.
  const [round, setRound] = useState(0);
  const { isBusy, isDone, errorOf, errorBut, submit, clear } = useSubmit();
  const schema = wordedFields(config.bot, config.config_schema);
  const secretFields = wordedFields(config.bot, config.secret_schema).filter(({ key }) => !without.includes(key));
  const inherited = isOwner ? {} : config.owner_config;
  const tails = isOwner
    ? Object.fromEntries(config.owner_secret_fields.map((key) => [key, '']))
    : Object.fromEntries(config.my_secrets.map(({ field, tail }) => [field, tail]));

  /** Shows the settings as they are now, with empty fields for secrets. */
  function put(current: MyBotConfig) {
    setSecrets({});
    setRound(round + 1);
    onConfig(current);
  }

  async function save() {
    // A required value counts as present if the owner has set it, even if it is hidden from this user.
    const hidden = isOwner ? {} : Object.fromEntries(config.owner_set_keys.map((key) => [key, '…']));
    const found = problemsOf(schema, values, { ...hidden, ...inherited });
    setProblems(found);
    if (Object.keys(found).length > 0) return clear();
    const { username } = config.bot;
    // A key is only for the server that the form shows.
    const { server } = config;
    const changes = { username, config: given(values), ...(Object.keys(secrets).length > 0 && { secrets }) };
    const store = async () =>
      isOwner
        ? client.call('setBotConfig', changes)
        : client.call('setMyBotConfig', {
            ...changes,
            ...(changes.secrets && server !== undefined && { server }),
          });
    await submit(async () => {
      try {
        put(await store());
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'conflict')) throw error;
        const current = await client.call('getMyBotConfig', { username });
        put(current);
        throw new AgentMoved(movedText(server, current.server));
      }
    }, sayMoved);
    return undefined;
  }

  const keys = [...schema, ...secretFields].flatMap(({ key }) => [`config.${key}`, `secrets.${key}`]);
  if (schema.length + secretFields.length === 0) return <p className="ui-about">{t('This agent has no settings.')}</p>;
  return (
    <Form onSubmit={save}>
      <FieldsForm
        fields={schema}
        values={values}
        inherited={inherited}
        errorOf={(key) => problems[key] ?? errorOf(`config.${key}`)}
        onChange={(next) => {
          setValues(next);
          setProblems({});
          clear();
        }}
      />
      {secretFields.length > 0 ? (
        <SecretsForm
          key={round}
          fields={secretFields}
          server={config.server}
          tails={tails}
          inherited={isOwner ? [] : config.owner_secret_fields}
          changes={secrets}
          errorOf={(key) => errorOf(`secrets.${key}`)}
          onChange={(next) => {
            setSecrets(next);
            clear();
          }}
        />
      ) : null}
      <Problem text={errorBut(...keys)} ofForm />
      <SaveButtons isBusy={isBusy} isDone={isDone} />
    </Form>
  );
}

/** The owner gave the agent another server while someone entered a key for it: the service has stored nothing. */
class AgentMoved extends Error {}

const sayMoved = (error: unknown) => (error instanceof AgentMoved ? { field: null, text: error.message } : null);

function movedText(before: string | undefined, now: string | undefined): string {
  if (before === now)
    return t('The agent’s server has changed. Nothing was saved. Check the server and enter your key again.');
  if (now === undefined)
    return t(
      'The owner moved this agent from {before} to the provider’s server. Nothing was saved. Enter your key again only if the provider’s server may have it.',
      { before: before ?? '' },
    );
  return before === undefined
    ? t(
        'The owner moved this agent from the provider’s server to {now}. Nothing was saved. Enter your key again only if {now} may have it.',
        { now },
      )
    : t(
        'The owner moved this agent from {before} to {now}. Nothing was saved. Enter your key again only if {now} may have it.',
        { before, now },
      );
}
