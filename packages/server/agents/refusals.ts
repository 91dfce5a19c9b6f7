// The texts that agents answer without asking a provider, and how those replies end.
import type { Refused } from '../commits/effects.ts';
import { ProviderError } from './providers/provider.ts';
import { isHouse } from '../store/accounts.ts';
import type { EndOfReply } from '../replies/end-of-reply.ts';

/** A reply that is written without a provider. */
export interface Refusal {
  text: string;
  end: EndOfReply;
}

interface Agent {
  username: string;
  display_name: string;
  /** Null for a bot: a key of one's own changes nothing there. */
  agent_provider: string | null;
}

/** Who pays for an agent. */
export const ownerInWords = (agent: Pick<Agent, 'username' | 'display_name'>): string =>
  isHouse(agent) ? `this server, for ${agent.display_name},` : `the owner of ${agent.display_name}`;

const refusal = (finishReason: string, text: string): Refusal => ({
  text,
  end: { status: 'failed', finishReason, alert: text },
});

/**
 * Texts for people: they name places in the app, not operations (KEY-16). They do not name the caps, which only the
 * owner may see (USAGE-12, KEY-12).
 */
export const refusals: Record<Refused, (agent: Agent) => Refusal> = {
  token_cap: ({ display_name }) =>
    refusal(
      'token_cap',
      `${display_name} has used all the tokens that its owner lets it use in a month. It answers again when the next month begins (UTC), or when its owner raises the limit.`,
    ),
  group_token_cap: ({ display_name, agent_provider }) =>
    refusal(
      'group_token_cap',
      `${display_name} has used all the tokens that its owner lets it use in this group in a month. It answers again when the next month begins (UTC), or when its owner raises the limit.${agent_provider === null ? '' : ' Others can go on with an API key of their own, which they add in its settings.'}`,
    ),
  asker_token_cap: (agent) =>
    refusal(
      'asker_token_cap',
      `You have used all the tokens that ${ownerInWords(agent)} lets you use in a day. Ask again tomorrow (UTC), or add an API key of your own in its settings.`,
    ),
  house_token_cap: ({ display_name }) =>
    refusal(
      'house_token_cap',
      `${display_name} has used all the tokens that the people who run this server let it use in a day. Ask again tomorrow (UTC), or add an API key of your own in its settings.`,
    ),
  house_is_off: ({ display_name }) =>
    refusal(
      'no_key',
      `${display_name} is switched off: the people who run this server do not pay for it now. The guide answers your questions about the app, and ${display_name} answers with an API key of your own, which you can add in its settings.`,
    ),
  storage_full: ({ display_name }) =>
    refusal(
      'storage_full',
      `${display_name} cannot answer: its owner and that owner's bots have stored as much as they may. They can delete messages or files to make room.`,
    ),
  own_key_needed: ({ display_name }) =>
    refusal(
      'no_key',
      `${display_name} needs an API key of your own here: its owner's key does not pay for you. Add one in its settings, then ask again.`,
    ),
};

export const refusalOf = (refused: Refused, agent: Agent): Refusal => refusals[refused](agent);

export const noKey = (agent: Agent): Refusal =>
  refusal(
    'no_key',
    `${agent.display_name} has no API key yet. Its owner can add one in the app's settings, under Agents, and you can add one of your own in the settings of ${agent.display_name}. Then ask again.`,
  );

const advice = 'Its owner can check the address, the model and the key in the settings of the agent.';

/** The error of a request to an agent's own server, with what can be done about it. */
export const withAdvice = (error: unknown): unknown =>
  error instanceof ProviderError
    ? new ProviderError(error.kind, `${error.summary} ${advice}`, {
        quote: error.quote,
        status: error.status,
        retryAfterMs: error.retryAfterMs,
      })
    : error;

export const noModel = (): ProviderError =>
  new ProviderError('bad_request', 'No model is chosen. Its owner can choose one in the settings of the agent.');
