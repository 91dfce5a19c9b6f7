import type { Agent } from '@parley/protocol';
import { useCallback } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSession } from '../../session/session.ts';
import { SERVICE } from '../../words/service-names.ts';
import { useNameOf } from '../people/use-name-of.ts';
import { t } from '../../words/t.ts';

/** Whose agent it is, who pays for the reader, and the server that conversations are sent to. Nothing until loaded. */
export function AgentTerms({ username, className }: { username: string; className: string | undefined }) {
  const { client, username: me } = useSession();
  const load = useCallback(async () => client.call('getAgent', { username }), [client, username]);
  const { value } = useLoaded(load);
  const owner = useNameOf(value?.parent_username);
  const text = value ? termsOf(value, me, owner) : '';
  return text === '' ? null : <p className={className}>{text}</p>;
}

const payersOfMine: Readonly<Record<NonNullable<Agent['pays_for']>, string>> = {
  nobody: t('Others pay with their own key.'),
  groups: t('Your key pays for people in its groups.'),
  everyone: t('Your key pays for everyone.'),
};

/** The sentences about an agent, as this reader is concerned. */
export function termsOf(agent: Agent, me: string, ownerName: string): string {
  const { parent_username: owner, agent_provider } = agent;
  const ofOwner =
    owner === undefined || agent_provider === SERVICE
      ? ''
      : owner === me
        ? t('This agent is yours.')
        : t('This is {owner}’s agent.', { owner: ownerName });
  return [ofOwner, payText(agent, me, ownerName)].filter((part) => part !== '').join(' ');
}

/** Who pays for the reader, and the server that conversations are sent to. */
export function payText(agent: Agent, me: string, ownerName: string): string {
  const { parent_username: owner, payer, needs_key, pays_for, server, agent_provider } = agent;
  const sentences: string[] = [];
  if (owner === me) {
    if (needs_key) sentences.push(t('It has no key yet.'));
    if (pays_for !== undefined) sentences.push(payersOfMine[pays_for]);
    else if (agent_provider === 'bot') sentences.push(t('You pay for it.'));
  } else if (payer === owner && owner !== undefined)
    sentences.push(t('{owner} pays for its replies to you.', { owner: ownerName }));
  else if (payer === me) sentences.push(t('Its replies to you use your own key.'));
  else if (needs_key) sentences.push(t('It needs an API key of yours to answer you.'));
  if (server !== undefined) sentences.push(t('Conversations go to {server}.', { server }));
  return sentences.join(' ');
}
