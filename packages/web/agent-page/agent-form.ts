import { ApiError } from '@parley/client';
import type { Agent, Result } from '@parley/protocol';
import { useState } from 'react';
import type { FieldState } from '../calls/use-form.ts';
import { type Submit, useSubmit } from '../calls/use-submit.ts';
import { useSession } from '../session/session.ts';
import { agentFields } from '../settings/agents/agent-fields.ts';
import { checkKey } from '../settings/agents/check-text.ts';
import { fieldError } from '../words/field-error.ts';
import { type AgentDraft, changesOf, draftOf, newAgentOf } from './agent-draft.ts';
import { errorKey, type FieldProblem, problemOf, stepOf, type TextField } from './steps.ts';
import { t } from '../words/t.ts';

export type MyAgents = Result<'getMyAgents'>['items'];

export interface AgentForm extends Pick<Submit, 'isBusy' | 'isDone' | 'errorOf' | 'errorBut'> {
  readonly draft: AgentDraft;
  /** null until it is made. */
  readonly agent: Agent | null;
  readonly step: number;
  /** Whether something was changed and not saved. */
  readonly hasChanges: boolean;
  /** The handles of the user's other agents. */
  readonly taken: readonly string[];
  /** Whether the user has a key for the provider, which the agent then answers with. */
  readonly hasProviderKey: boolean;
  readonly change: (part: Partial<AgentDraft>) => void;
  readonly field: (key: TextField) => FieldState;
  /** Opens a step; a later one only if nothing before it is wrong. */
  readonly go: (step: number) => void;
  /** Makes or changes the agent; null if a field is wrong or the service refuses it. */
  readonly save: () => Promise<Agent | null>;
}

interface AgentFormInput {
  /** null for a new agent. */
  known: Agent | null;
  start: AgentDraft;
  firstStep: number;
  mine: MyAgents;
}

/** The state of the form for an agent: what was typed, which step is open, and what is wrong. */
export function useAgentForm({ known, start, firstStep, mine }: AgentFormInput): AgentForm {
  const { client, agentKeys } = useSession();
  const [agent, setAgent] = useState(known);
  const [draft, setDraft] = useState(start);
  const [step, setStep] = useState(firstStep);
  const [hasNewKey, setHasNewKey] = useState(false);
  const { isBusy, isDone, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  const handles = mine.map(({ username }) => username.slice(username.indexOf(':') + 1));
  const taken = agent ? handles.filter((handle) => handle !== draft.slug) : handles;

  function change(part: Partial<AgentDraft>): void {
    setDraft((before) => ({ ...before, ...part }));
    clear();
  }

  function isSoundUpTo(last: number): boolean {
    const problem = problemOf(draft, last, taken);
    if (!problem) return true;
    setStep(stepOf(problem.field));
    refuse(problem.field, problem.text);
    return false;
  }

  async function store(): Promise<Agent> {
    const key = draft.api_key.trim();
    const isOwn = draft.place === 'own';
    // First, so that a key that is refused makes no agent.
    if (key !== '' && !isOwn) {
      await client.call('setAgentKey', { provider: draft.provider, api_key: key });
      // There was none before: the field is shown only without a key.
      const { isRefused, text } = await checkKey(client, draft.provider);
      if (isRefused) {
        await client.call('removeAgentKey', { provider: draft.provider });
        throw new RefusedKey(text);
      }
      setHasNewKey(true);
      agentKeys.note();
    }
    let saved = agent
      ? await client.call('updateAgent', changesOf(draft, draftOf(agent), agent.username))
      : await client.call('createAgent', newAgentOf(draft));
    try {
      if (key !== '' && isOwn) {
        await client.call('setBotConfig', { username: saved.username, secrets: { api_key: key } });
        saved = { ...saved, key_configured: true };
      }
    } finally {
      // After the key, so that nothing asks the server without it; also if the key is refused: the agent exists.
      setAgent(saved);
    }
    setDraft(draftOf(saved));
    return saved;
  }

  async function save(): Promise<Agent | null> {
    if (!isSoundUpTo(agent ? 2 : 1)) return null;
    const stored: Agent[] = [];
    await submit(
      async () => stored.push(await store()),
      (error) => {
        const failure =
          (error instanceof RefusedKey ? { field: 'api_key', text: error.message } : null) ??
          (agent ? null : refusalOfNew(error)) ??
          refusedAddress(error) ??
          lostPicture(error) ??
          fieldError(error);
        if (failure) setStep(stepOf(failure.field));
        return failure;
      },
    );
    return stored[0] ?? null;
  }

  return {
    draft,
    agent,
    step,
    hasChanges: JSON.stringify(draft) !== JSON.stringify(agent ? draftOf(agent) : start),
    taken,
    hasProviderKey:
      hasNewKey || mine.some((one) => one.is_default && one.provider === draft.provider && one.key_configured),
    isBusy,
    isDone,
    errorOf,
    errorBut,
    change,
    field: (key) => ({
      ...agentFields[key],
      value: draft[key],
      error: errorOf(errorKey(key)),
      // One of the fields that hold texts, though the type of a computed key does not say so.
      onType: (value) => change({ [key]: value }),
    }),
    go(next) {
      if (agent || next <= step || isSoundUpTo(next - 1)) setStep(next);
    },
    save,
  };
}

/** The provider refuses the key: it is not kept, and no agent is made. */
class RefusedKey extends Error {}

function lostPicture(error: unknown): FieldProblem | null {
  return error instanceof ApiError && error.code === 'not_found' && /file/.test(error.description)
    ? { field: 'avatar_file_id', text: t('The picture is no longer there. Choose it again.') }
    : null;
}

function refusedAddress(error: unknown): FieldProblem | null {
  return error instanceof ApiError &&
    error.parameters['field'] === 'base_url' &&
    /public address|operator allows/.test(error.description)
    ? {
        field: 'base_url',
        text: t('This service may not connect to this address. Ask the people who run it to allow it.'),
      }
    : null;
}

function refusalOfNew(error: unknown): FieldProblem | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'conflict')
    return { field: 'slug', text: t('You have or had an agent with this handle. Choose another.') };
  return error.parameters['field'] === 'slug' && /would name/.test(error.description)
    ? { field: 'slug', text: t('You have as many agents as one person can have. Delete one first.') }
    : null;
}
