import type { Note } from '@parley/protocol';
import { useState } from 'react';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { t } from '../../words/t.ts';
import { shortTime } from '../../words/times.ts';
import styles from './note-item.module.css';

/** Maximum UTF-16 units that are typed; the service counts bytes. */
const MAX_TYPED = 2_000;

interface NoteItemProps {
  note: Note;
  mayDelete: boolean;
  onChange: () => void;
}

/** A note with who wrote it and when. */
export function NoteItem({ note, mayDelete, onChange }: NoteItemProps) {
  const { client } = useSession();
  const [doing, setDoing] = useState<'edit' | 'delete' | null>(null);
  const { id: note_id, text, written_by: by, asked_by: asker, edited_by: editor } = note;
  const close = () => setDoing(null);
  if (doing === 'edit')
    return (
      <li className="ui-card ui-flush">
        <NoteForm
          label={t('Note')}
          action={t('Save')}
          start={text}
          onCancel={close}
          onSave={async (changed) => {
            await client.call('updateNote', { note_id, text: changed });
            close();
            onChange();
          }}
        />
      </li>
    );
  const writer = asker
    ? t('{name} for {person}', { name: by.display_name, person: asker.display_name })
    : by.display_name;
  return (
    <li className="ui-card ui-flush">
      <p className={styles['text']} dir="auto">
        {text}
      </p>
      <p className="ui-note">
        {writer} · <time dateTime={note.created_at}>{shortTime(note.created_at)}</time>
        {editor ? ` · ${t('edited by {name}', { name: editor.display_name })}` : ''}
      </p>
      <div className="ui-wrap">
        <Button size="small" onClick={() => setDoing('edit')}>
          {t('Edit')}
        </Button>
        {mayDelete ? (
          <Button size="small" look="quiet" onClick={() => setDoing('delete')}>
            {t('Delete')}
          </Button>
        ) : null}
      </div>
      {doing === 'delete' ? (
        <Confirm
          title={t('Delete this note?')}
          text={t('The agent will not remember it any more.')}
          action={t('Delete')}
          isDanger
          onConfirm={async () => {
            await client.call('deleteNote', { note_id });
            onChange();
          }}
          onClose={close}
        />
      ) : null}
    </li>
  );
}

interface NewNoteProps {
  place: { chat_id: string; agent_username: string };
  onChange: () => void;
}

/** Adds a note by hand. */
export function NewNote({ place, onChange }: NewNoteProps) {
  const { client } = useSession();
  const [round, setRound] = useState(0);
  return (
    <NoteForm
      key={round}
      label={t('Something to remember')}
      action={t('Add')}
      start=""
      onSave={async (text) => {
        await client.call('createNote', { ...place, text });
        setRound(round + 1);
        onChange();
      }}
    />
  );
}

interface NoteFormProps {
  label: string;
  action: string;
  start: string;
  onSave: (text: string) => Promise<void>;
  onCancel?: () => void;
}

function NoteForm({ label, action, start, onSave, onCancel }: NoteFormProps) {
  const [text, setText] = useState(start);
  const { isBusy, errorOf, errorBut, submit } = useSubmit();
  const save = async () => {
    if (text.trim() !== '') await submit(() => onSave(text.trim()));
  };
  return (
    <Form onSubmit={save}>
      <TextField
        label={label}
        rows={3}
        value={text}
        maxLength={MAX_TYPED}
        error={errorOf('text')}
        onChange={({ target }) => setText(target.value)}
      />
      <Problem text={errorBut('text')} ofForm />
      <div className="ui-wrap">
        <Button type="submit" size="small" look="primary" isBusy={isBusy} disabled={text.trim() === ''}>
          {action}
        </Button>
        {onCancel ? (
          <Button size="small" onClick={onCancel}>
            {t('Cancel')}
          </Button>
        ) : null}
      </div>
    </Form>
  );
}
