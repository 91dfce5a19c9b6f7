import { type AgentDraft, contextBounds, numberIn } from './agent-draft.ts';
import { tokensIn } from '../settings/agents/key-terms-input.ts';
import { t } from '../words/t.ts';

/** The steps of the form, and the fields of each. */
export const steps = [
  { title: t('Who it is'), fields: ['display_name', 'slug', 'description', 'avatar_file_id'] },
  {
    title: t('How it answers'),
    fields: [
      'system_prompt',
      'provider',
      'base_url',
      'api_key',
      'secrets.api_key',
      'model',
      'temperature',
      'max_output_tokens',
      'thinking',
      'context.messages',
      'context.characters',
    ],
  },
  {
    title: t('Who may use it'),
    fields: ['visibility', 'pays_for', 'asker_daily_tokens', 'group_monthly_tokens', 'allowed_models'],
  },
] as const;

export const fieldsOfSteps: readonly string[] = steps.flatMap(({ fields }) => fields);

/** The step that holds a field; the first one for a field that none holds. */
export const stepOf = (field: string): number =>
  Math.max(
    0,
    steps.findIndex(({ fields }) => (fields as readonly string[]).includes(field)),
  );

export interface FieldProblem {
  readonly field: string;
  readonly text: string;
}

/** What is wrong with a handle while it is typed. `taken`: the handles of the user's other agents. */
export function slugProblem(slug: string, taken: readonly string[]): string | null {
  if (!/^[a-z0-9_]*$/.test(slug)) return t('Use only the letters a to z, digits and _.');
  return taken.includes(slug) ? t('You have an agent with this handle. Choose another.') : null;
}

/** The first problem of a draft in the steps up to `last`; null if there is none. */
export function problemOf(draft: AgentDraft, last: number, taken: readonly string[]): FieldProblem | null {
  return problems(draft, taken).find(({ field }) => stepOf(field) <= last) ?? null;
}

function problems(draft: AgentDraft, taken: readonly string[]): FieldProblem[] {
  const found: FieldProblem[] = [];
  const add = (field: string, text: string | null) => text !== null && found.push({ field, text });
  add('display_name', draft.display_name.trim() === '' ? t('Enter a name.') : null);
  add('slug', draft.slug === '' ? t('Enter a handle.') : slugProblem(draft.slug, taken));
  if (draft.place === 'own') {
    add(
      'base_url',
      /^https?:\/\/./.test(draft.base_url.trim()) ? null : t('Enter an address that begins with https://.'),
    );
    add('model', draft.model.trim() === '' ? t('Enter the name of a model on this server.') : null);
  }
  const temperature = numberIn(draft.temperature);
  add('temperature', temperature === undefined || (temperature ?? 0) > 2 ? t('Enter a number from 0 to 2.') : null);
  const length = tokensIn(draft.max_output_tokens);
  add(
    'max_output_tokens',
    length === undefined || length === 0 || (length ?? 1) > 1_000_000
      ? t('Enter a whole number up to 1,000,000, or leave it empty.')
      : null,
  );
  for (const field of ['asker_daily_tokens', 'group_monthly_tokens'] as const)
    add(field, tokensIn(draft[field]) === undefined ? t('Enter a whole number, or leave it empty.') : null);
  for (const key of ['messages', 'characters'] as const) {
    const [least, most] = contextBounds[key];
    const value = tokensIn(draft[`context_${key}`]);
    const isSound = value === null || (value !== undefined && value >= least && value <= most);
    add(
      `context.${key}`,
      isSound
        ? null
        : t('Enter a whole number from {least, number} to {most, number}, or leave it empty.', { least, most }),
    );
  }
  return found;
}
