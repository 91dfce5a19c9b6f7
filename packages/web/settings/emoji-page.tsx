import { ApiError } from '@parley/client';
import type { CustomEmoji } from '@parley/protocol';
import { ImageUp, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useSubmit } from '../calls/use-submit.ts';
import { EmojiSign } from '../emoji/emoji-sign.tsx';
import { useSession } from '../session/session.ts';
import { useCell } from '../session/use-cell.ts';
import { Done } from '../ui/states/done.tsx';
import { Buttons } from '../ui/layout/buttons.tsx';
import { Form } from '../ui/forms/form.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Field } from '../ui/forms/field.tsx';
import { Section } from '../ui/layout/section.tsx';
import { Confirm } from '../ui/overlays/confirm.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { t } from '../words/t.ts';
import styles from './emoji-page.module.css';

/** The instance's own emoji: anyone adds some, and deletes what they have added. */
export function EmojiPage() {
  const { store, may } = useSession();
  const emoji = useCell(store.customEmoji);
  return (
    <>
      {may('createEmoji') ? (
        <Section
          title={t('Add an emoji')}
          hint={t('Everyone here can use it: as :name: in messages, as a reaction, and in a status.')}
        >
          <AddEmoji />
        </Section>
      ) : null}
      <Section title={t('Custom emoji')}>
        {emoji.length === 0 ? (
          <p className="ui-about">{t('No custom emoji yet. Add the first one above.')}</p>
        ) : (
          <ul className={styles['list']}>
            {emoji.map((one) => (
              <EmojiRow key={one.name} emoji={one} />
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

function AddEmoji() {
  const { client, store } = useSession();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const { isBusy, isDone, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  const preview = usePreview(file);

  async function add() {
    if (!file) return refuse('file_id', t('Choose a picture.'));
    if (!/^[a-z0-9_]{2,32}$/.test(name))
      return refuse('name', t('Use 2 to 32 small letters without accents, digits and underscores.'));
    const isAdded = await submit(async () => {
      const { id } = await client.api.uploadFile({ file });
      store.putEmoji(await client.call('createEmoji', { name, file_id: id }));
    }, sayWhy);
    if (!isAdded) return undefined;
    setName('');
    setFile(null);
    return undefined;
  }

  return (
    <Form onSubmit={add}>
      <div className="ui-row">
        {preview === null ? null : <img className={styles['preview']} src={preview} alt={t('The picture you chose')} />}
        <input
          ref={input}
          type="file"
          hidden
          accept="image/png,image/gif,image/webp,image/jpeg"
          aria-label={t('Picture')}
          onChange={({ currentTarget }) => {
            const [chosen] = currentTarget.files ?? [];
            if (chosen) setFile(chosen);
            // Reset, so that the same file can be chosen again.
            currentTarget.value = '';
            clear();
          }}
        />
        <Button onClick={() => input.current?.click()}>
          <ImageUp aria-hidden /> {file ? t('Choose another picture') : t('Choose a picture')}
        </Button>
      </div>
      <Problem text={errorOf('file_id')} />
      <Field
        label={t('Name')}
        hint={t('Small letters, digits and underscores, such as party_cat.')}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={32}
        value={name}
        error={errorOf('name')}
        onChange={({ target }) => {
          setName(target.value);
          clear();
        }}
      />
      <Problem text={errorBut('name', 'file_id')} ofForm />
      <Buttons>
        <Done>{isDone ? t('Added') : ''}</Done>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {t('Add emoji')}
        </Button>
      </Buttons>
    </Form>
  );
}

/** Words the service's reasons that people meet. */
function sayWhy(error: unknown): { field: string; text: string } | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'conflict') return { field: 'name', text: t('This name is taken. Choose another one.') };
  return error.parameters.field === 'file_id'
    ? { field: 'file_id', text: t('Choose a PNG, GIF, WebP or JPEG of at most 256 KB, 512 pixels wide and high.') }
    : null;
}

/** The address of a local file, while it is shown; null without one. */
function usePreview(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return undefined;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(null);
    };
  }, [file]);
  return url;
}

function EmojiRow({ emoji }: { emoji: CustomEmoji }) {
  const { client, store } = useSession();
  const [isAsking, setIsAsking] = useState(false);
  const written = `:${emoji.name}:`;
  return (
    <li className={styles['row']}>
      <span className={styles['sign']}>
        <EmojiSign emoji={written} />
      </span>
      <span className={styles['name']} dir="ltr">
        {written}
      </span>
      {emoji.is_own ? (
        <IconButton
          label={t('Delete {emoji}', { emoji: written })}
          icon={<Trash2 />}
          onClick={() => setIsAsking(true)}
        />
      ) : null}
      {isAsking ? (
        <Confirm
          title={t('Delete {emoji}', { emoji: written })}
          text={t('Messages and reactions that use it show its name instead.')}
          action={t('Delete')}
          isDanger
          onConfirm={async () => {
            await client.call('deleteEmoji', { name: emoji.name });
            store.removeEmoji(emoji.name);
          }}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </li>
  );
}
