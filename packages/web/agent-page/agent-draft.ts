// The page on which one makes and edits an agent, with a chat to try it. May import: all rooms below (see main.tsx).
import type { Agent, BuiltInTool, Params, PaysFor, Provider, Result, Thinking, Visibility } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { numberIn, SLUG_LENGTH } from '../settings/agents/agent-fields.ts';
import { modelsIn, tokensIn } from '../settings/agents/key-terms-input.ts';
import { t } from '../words/t.ts';

/** Where an agent's model runs: at a provider, or on a server that speaks a provider's API. */
export type Place = Provider | 'own';

/** What the form holds. Its keys are those of the operations, so that their errors find their fields. */
export interface AgentDraft {
  readonly display_name: string;
  readonly slug: string;
  /** Whether the user typed the handle; otherwise it follows the name. */
  readonly isSlugTyped: boolean;
  readonly description: string;
  /** A photo that the user has chosen; null removes the picture, undefined keeps it. */
  readonly avatar_file_id: string | null | undefined;
  /** The picture as it would be. */
  readonly avatar_url: string | undefined;
  readonly system_prompt: string;
  readonly place: Place;
  readonly provider: Provider;
  readonly base_url: string;
  readonly api_key: string;
  readonly model: string;
  readonly temperature: string;
  readonly max_output_tokens: string;
  readonly thinking: Thinking;
  readonly web_search: boolean;
  /** The service's own tools that it may use. */
  readonly built_in_tools: readonly BuiltInTool[];
  /** How much of a conversation its model receives; empty for the most. */
  readonly context_messages: string;
  readonly context_characters: string;
  readonly context_files: boolean;
  /** Whether it gives chats titles. Not in the form; a copy takes it over. */
  readonly titles: boolean;
  readonly visibility: Visibility;
  readonly pays_for: PaysFor;
  readonly asker_daily_tokens: string;
  readonly group_monthly_tokens: string;
  readonly allowed_models: string;
}

export const emptyDraft: AgentDraft = {
  display_name: '',
  slug: '',
  isSlugTyped: false,
  description: '',
  avatar_file_id: undefined,
  avatar_url: undefined,
  system_prompt: '',
  place: 'provider_a',
  provider: 'provider_a',
  base_url: '',
  api_key: '',
  model: '',
  temperature: '',
  max_output_tokens: '',
  thinking: 'off',
  web_search: false,
  // Each costs tokens in every request, some models refuse tools, and some send the provider more of a conversation.
  built_in_tools: [],
  context_messages: '',
  context_characters: '',
  context_files: true,
  titles: true,
  // A new agent is private until its owner decides who may use it.
  visibility: 'private',
  // What others would cost is the owner's to allow.
  pays_for: 'nobody',
  asker_daily_tokens: '',
  group_monthly_tokens: '',
  allowed_models: '',
};

/** The draft of a new agent: at a provider for which the user has a key, if there is one. */
export function newDraft(mine: Result<'getMyAgents'>['items']): AgentDraft {
  const known = mine.find((one) => one.is_default && one.key_configured)?.provider;
  return known === 'provider_b' ? { ...emptyDraft, place: known, provider: known } : emptyDraft;
}

/** `usual`: the value that an empty field stands for. */
const textOf = (value: number | null | undefined, usual?: number): string =>
  value === usual ? '' : String(value ?? '');

/** The draft of an agent as it is. */
export const draftOf = (agent: Agent): AgentDraft => ({
  display_name: agent.display_name,
  slug: agent.username.slice(agent.username.indexOf(':') + 1),
  isSlugTyped: true,
  description: agent.bio ?? '',
  avatar_file_id: undefined,
  avatar_url: agent.avatar_url,
  system_prompt: agent.system_prompt ?? '',
  place: agent.base_url === undefined ? providerOf(agent) : 'own',
  provider: providerOf(agent),
  base_url: agent.base_url ?? '',
  api_key: '',
  model: agent.model ?? '',
  temperature: textOf(agent.temperature),
  max_output_tokens: textOf(agent.max_output_tokens),
  thinking: agent.thinking ?? 'off',
  web_search: agent.web_search ?? false,
  built_in_tools: agent.built_in_tools ?? [],
  context_messages: textOf(agent.context?.messages, limits.contextMessages),
  context_characters: textOf(agent.context?.characters, limits.contextCharacters),
  context_files: agent.context?.files ?? true,
  titles: agent.titles ?? true,
  visibility: agent.visibility,
  pays_for: agent.pays_for ?? emptyDraft.pays_for,
  asker_daily_tokens: textOf(agent.asker_daily_tokens),
  group_monthly_tokens: textOf(agent.group_monthly_tokens),
  allowed_models: (agent.allowed_models ?? []).join('\n'),
});

const providerOf = ({ agent_provider }: Agent): Provider =>
  agent_provider === 'provider_b' ? 'provider_b' : 'provider_a';

/** The draft of a copy: private at first, with another name, and without keys and picture. */
export const copyOf = (agent: Agent, taken: readonly string[]): AgentDraft => {
  const display_name = t('Copy of {name}', { name: agent.display_name });
  const { visibility } = emptyDraft;
  const own = {
    display_name,
    slug: slugOf(display_name, taken),
    isSlugTyped: false,
    avatar_url: undefined,
    visibility,
  };
  return { ...draftOf(agent), ...own };
};

/** A handle for a name that none of the user's agents has: "Café guide" is `cafe_guide`. */
export function slugOf(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, SLUG_LENGTH)
    .replaceAll(/^_+|(?<!_)_+$/g, '');
  if (plain === '' && name.trim() === '') return '';
  const base = plain === '' ? 'agent' : plain;
  if (!taken.includes(base)) return base;
  for (let at = 2; ; at += 1) {
    const next = `${base.slice(0, SLUG_LENGTH - String(at).length - 1)}_${at}`;
    if (!taken.includes(next)) return next;
  }
}

/** What the operations take from a draft. Call it only for drafts without problems. */
function settingsOf(draft: AgentDraft) {
  const isOwn = draft.place === 'own';
  return {
    display_name: draft.display_name.trim(),
    description: draft.description.trim(),
    avatar_file_id: draft.avatar_file_id,
    model: draft.model.trim() || null,
    base_url: isOwn ? draft.base_url.trim() : null,
    system_prompt: draft.system_prompt.trim() === '' ? null : draft.system_prompt,
    temperature: numberIn(draft.temperature) ?? null,
    max_output_tokens: tokensIn(draft.max_output_tokens) ?? null,
    // Off is the default, which is not stored.
    thinking: draft.thinking === 'off' ? null : draft.thinking,
    // Models on a server of one's own have no search.
    web_search: draft.web_search && !isOwn ? true : null,
    built_in_tools: [...draft.built_in_tools],
    context: contextIn(draft),
    visibility: draft.visibility,
    pays_for: draft.pays_for,
    asker_daily_tokens: tokensIn(draft.asker_daily_tokens) ?? null,
    group_monthly_tokens: tokensIn(draft.group_monthly_tokens) ?? null,
    allowed_models: modelsIn(draft.allowed_models),
  };
}

/** null if nothing differs from what every agent reads. */
function contextIn({ context_messages, context_characters, context_files }: AgentDraft) {
  const [messages, characters] = [tokensIn(context_messages), tokensIn(context_characters)];
  const context = {
    ...(typeof messages === 'number' && { messages }),
    ...(typeof characters === 'number' && { characters }),
    ...(!context_files && { files: false }),
  };
  return Object.keys(context).length === 0 ? null : context;
}

export const newAgentOf = (draft: AgentDraft): Params<'createAgent'> => {
  const { base_url, ...settings } = settingsOf(draft);
  const { slug, provider, titles } = draft;
  return { slug, provider, ...settings, ...(base_url !== null && { base_url }), ...(!titles && { titles }) };
};

/** Only what differs: a field that another page has changed meanwhile stays as it is there. */
export function changesOf(draft: AgentDraft, before: AgentDraft, username: string): Params<'updateAgent'> {
  const [wanted, former] = [settingsOf(draft), settingsOf(before)];
  const changed = Object.entries(wanted).filter(
    // Keys of the same object.
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(former[key as keyof typeof former]),
  );
  return { username, ...Object.fromEntries(changed) };
}
