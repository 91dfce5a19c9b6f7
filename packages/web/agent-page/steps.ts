import type { FieldDescription } from '../calls/use-form.ts';
import { agentFields } from '../settings/agents/agent-fields.ts';
import type { AgentDraft } from './agent-draft.ts';
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

/** The fields that hold texts, in the order of the form. */
export type TextField = keyof typeof agentFields;
// The keys of an object whose type names them all.
const textFields = Object.keys(agentFields) as TextField[];

/** What the operations call a field in their errors. */
export const errorKey = (key: TextField): string => key.replace('context_', 'context.');

/** The first problem of a draft in the steps up to `last`; null if there is none. */
export function problemOf(draft: AgentDraft, last: number, taken: readonly string[]): FieldProblem | null {
  const isOwn = draft.place === 'own';
  const dependent: Partial<Record<TextField, string | null>> = {
    slug: draft.slug === '' ? t('Enter a handle.') : slugProblem(draft.slug, taken),
    base_url:
      isOwn && !/^https?:\/\/./.test(draft.base_url.trim()) ? t('Enter an address that begins with https://.') : null,
    model: isOwn && draft.model.trim() === '' ? t('Enter the name of a model on this server.') : null,
  };
  for (const key of textFields) {
    const { problem }: FieldDescription = agentFields[key];
    const text = dependent[key] ?? problem?.(draft[key]) ?? null;
    const field = errorKey(key);
    if (text !== null && stepOf(field) <= last) return { field, text };
  }
  return null;
}
