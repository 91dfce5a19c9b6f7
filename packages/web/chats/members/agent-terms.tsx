import type { Agent } from '@parley/protocol';
import { useCallback } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSession } from '../../session/session.ts';

/** Whose agent it is, who pays for the reader, and the server that conversations are sent to. Nothing until loaded. */
export function AgentTerms({ username, className }: { username: string; className: string | undefined }) {
  const { client, username: me } = useSession();
  const load = useCallback(async () => client.call('getAgent', { username }), [client, username]);
  const { value } = useLoaded(load);
  const text = value ? termsOf(value, me) : '';
  return text === '' ? null : <p className={className}>{text}</p>;
}

const payersOfMine: Readonly<Record<NonNullable<Agent['pays_for']>, string>> = {
  nobody: 'Others pay with their own key.',
  groups: 'Your key pays for people in its groups.',
  everyone: 'Your key pays for everyone.',
};

/** The sentences about an agent, as this reader is concerned. */
export function termsOf(agent: Agent, me: string): string {
  const { parent_username: owner, payer, needs_key, pays_for, server, agent_provider } = agent;
  const sentences = owner === undefined ? [] : [owner === me ? 'This agent is yours.' : `This is @${owner}’s agent.`];
  if (owner === me) {
    if (needs_key) sentences.push('It has no key yet.');
    if (pays_for !== undefined) sentences.push(payersOfMine[pays_for]);
    else if (agent_provider === 'bot') sentences.push('You pay for it.');
  } else if (payer === owner && owner !== undefined) sentences.push(`@${owner} pays for its replies to you.`);
  else if (payer === me) sentences.push('Its replies to you use your own key.');
  else if (needs_key) sentences.push('It needs an API key of yours to answer you.');
  if (server !== undefined) sentences.push(`Conversations go to ${server}.`);
  return sentences.join(' ');
}
