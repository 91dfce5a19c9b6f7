import { ApiError } from '@parley/client';
import type { ToolServer } from '@parley/protocol';
import { approvalWords, identityWords } from '../../../config/tool-words.ts';
import { useForm } from '../../../calls/use-form.ts';
import { FormField } from '../../../ui/forms/form-field.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Problem } from '../../../ui/states/problem.tsx';
import { t } from '../../../words/t.ts';
import { nameFrom, type ToolServerInput } from './tool-drafts.ts';

interface ServerDialogProps {
  /** The server to change; null for a new one. */
  server: ToolServer | null;
  /** Names of the other servers of the agent. */
  taken: readonly string[];
  onSave: (server: Omit<ToolServerInput, 'tools'>) => Promise<unknown>;
  onClose: () => void;
}

const optionsOf = <Value extends string>(words: Readonly<Record<Value, string>>) =>
  // Keys of a constant.
  (Object.entries(words) as [Value, string][]).map(([value, label]) => ({ value, label }));

/** The service names the address that it refuses by its place among all servers. */
const sayRefused = (error: unknown) =>
  error instanceof ApiError && /^servers\b.*\burl$/.test(fieldOf(error))
    ? { field: 'url', text: t('The people who run this service don’t allow this address.') }
    : null;
function fieldOf({ parameters: { field } }: ApiError): string {
  return typeof field === 'string' ? field : '';
}

/** The form for a server of tools: its address, with whose account it is used, and when it asks. */
export function ServerDialog({ server, taken, onSave, onClose }: ServerDialogProps) {
  const isNew = server === null;
  const fields = {
    url: {
      kind: 'address',
      label: t('Address'),
      placeholder: 'https://',
      hint: t('Of an MCP server. The service lists its tools, and you choose which the agent may use.'),
      problem: (typed: string) =>
        URL.canParse(typed.trim()) ? null : t('Enter the whole address, such as https://example.com/mcp.'),
    },
    name: {
      kind: 'handle',
      label: t('Short name'),
      hint: t('Letters a to z, digits and hyphens. The model sees it before the name of each tool.'),
      maxLength: 32,
      problem: (typed: string) =>
        !/^[a-z0-9-]{1,32}$/.test(typed)
          ? t('Use only the letters a to z, digits and hyphens.')
          : taken.includes(typed)
            ? t('Another server of this agent has this name.')
            : null,
    },
    identity: {
      kind: 'choice',
      label: t('Account'),
      options: optionsOf(identityWords(true)),
      hint: t(
        'With the account of the person who asks, everybody adds a token of their own, and sees only what is theirs.',
      ),
    },
    auth: {
      kind: 'choice',
      label: t('How it knows the account'),
      options: [
        { value: 'bearer', label: t('By a token that is entered here') },
        { value: 'oauth', label: t('By signing in on its page (OAuth)') },
      ],
    },
    approval: {
      kind: 'choice',
      label: t('When it asks'),
      options: optionsOf(approvalWords),
      hint: t('After it has read text of strangers, it asks before it changes something, whatever you choose.'),
    },
  } as const;
  const form = useForm(fields, {
    url: server?.url ?? '',
    name: server?.name ?? '',
    identity: server?.identity ?? 'none',
    auth: server?.auth === 'oauth' ? 'oauth' : 'bearer',
    approval: server?.approval ?? 'writes',
  });
  const { draft } = form;

  async function save() {
    const identity = draft.identity as ToolServer['identity']; // one of the options
    const isSaved = await form.send(
      () =>
        onSave({
          url: draft.url.trim(),
          name: draft.name,
          identity,
          approval: draft.approval as ToolServer['approval'], // one of the options
          auth: identity === 'none' ? 'none' : draft.auth === 'oauth' ? 'oauth' : 'bearer',
        }),
      sayRefused,
    );
    if (isSaved) onClose();
  }

  const url = form.field('url');
  return (
    <FormDialog
      title={isNew ? t('Add a server of tools') : t('Server of tools')}
      action={isNew ? t('Add') : t('Save')}
      isBusy={form.isBusy}
      onSubmit={save}
      onClose={onClose}
    >
      <FormField
        {...url}
        dir="ltr"
        onType={(typed) => {
          const isOwnName = draft.name !== '' && draft.name !== nameFrom(draft.url, taken);
          form.change({ url: typed, ...(isNew && !isOwnName && { name: nameFrom(typed.trim(), taken) }) });
        }}
      />
      <FormField {...form.field('name')} dir="ltr" readOnly={!isNew} />
      <FormField {...form.field('identity')} />
      {draft.identity === 'none' ? null : <FormField {...form.field('auth')} />}
      <FormField {...form.field('approval')} />
      <Problem text={form.otherError} />
    </FormDialog>
  );
}
