import { BookOpenCheck, GraduationCap, Languages, ListTree, PenLine, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { isTouch } from '../browser/touch.ts';
import { useSession } from '../session/session.ts';
import { AvatarPicker } from '../files/avatar-picker.tsx';
import { FormField } from '../ui/forms/form-field.tsx';
import { slugOf } from './agent-draft.ts';
import type { AgentForm } from './agent-form.ts';
import styles from './agent-page.module.css';
import { type ReadyMade, readyMade, startedFrom, startFrom } from './ready-made.ts';
import { slugProblem } from './steps.ts';
import { t } from '../words/t.ts';

const icons: Readonly<Record<ReadyMade['key'], ReactNode>> = {
  writer: <PenLine />,
  reviewer: <BookOpenCheck />,
  translator: <Languages />,
  tutor: <GraduationCap />,
  summarizer: <ListTree />,
};

/** The first step: name, handle and description, perhaps of a ready-made agent. */
export function IdentityStep({ form, isNew }: { form: AgentForm; isNew: boolean }) {
  const { username } = useSession();
  const { draft, taken, change, field, errorOf } = form;
  const name = (display_name: string) =>
    change({ display_name, ...(!draft.isSlugTyped && { slug: slugOf(display_name, taken) }) });
  return (
    <>
      {isNew ? (
        <StartFrom
          started={startedFrom(draft)}
          onStart={(chosen) => {
            const { display_name, description, system_prompt } = startFrom(draft, chosen);
            change({ description, system_prompt });
            name(display_name);
          }}
        />
      ) : null}
      <AvatarPicker
        who={{
          name: draft.display_name,
          username: `${username}:${draft.slug}`,
          kind: 'agent',
          url: draft.avatar_url,
        }}
        error={errorOf('avatar_file_id')}
        onChange={(photo) =>
          change({ avatar_file_id: photo?.id ?? null, avatar_url: photo?.thumbnail_url ?? photo?.url })
        }
      />
      <FormField {...field('display_name')} autoFocus={isNew && !isTouch()} onType={name} />
      <FormField
        {...field('slug')}
        readOnly={!isNew}
        hint={
          isNew
            ? t('People mention it as @{username}:{handle}.', {
                username,
                handle: draft.slug === '' ? t('handle') : draft.slug,
              })
            : t('A handle can’t be changed, because people use it in mentions.')
        }
        error={(isNew ? slugProblem(draft.slug, taken) : null) ?? errorOf('slug')}
        onType={(typed) => change({ slug: typed.toLowerCase(), isSlugTyped: typed !== '' })}
      />
      <FormField {...field('description')} />
    </>
  );
}

function StartFrom({ started, onStart }: { started: ReadyMade | null; onStart: (chosen: ReadyMade | null) => void }) {
  const option = (key: string, icon: ReactNode, title: string, note: string, chosen: ReadyMade | null) => (
    <button
      key={key}
      type="button"
      className={styles['start']}
      aria-pressed={started === chosen}
      onClick={() => onStart(chosen)}
    >
      {icon}
      <span>
        <strong>{title}</strong>
        <span>{note}</span>
      </span>
    </button>
  );
  return (
    <div className={styles['starts']} role="group" aria-label={t('Start from')}>
      {option('empty', <Plus />, t('Empty'), t('Write everything yourself.'), null)}
      {readyMade.map((one) => option(one.key, icons[one.key], one.display_name, one.description, one))}
    </div>
  );
}
