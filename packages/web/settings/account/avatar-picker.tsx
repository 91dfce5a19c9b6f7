import type { Account } from '@parley/protocol';
import { ImageUp } from 'lucide-react';
import { useRef } from 'react';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import styles from './avatar-picker.module.css';

/** Uploads or removes the user's picture. The service crops it to a square. */
export function AvatarPicker({ account, onChange }: { account: Account; onChange: (account: Account) => void }) {
  const { client } = useSession();
  const input = useRef<HTMLInputElement>(null);
  const { isBusy, errorBut, submit, clear } = useSubmit();

  async function choose(file: File | undefined) {
    if (!file) return;
    await submit(async () => {
      const { id, kind } = await client.api.uploadFile({ file });
      if (kind !== 'photo') throw new NoPicture();
      onChange(await client.call('updateProfile', { avatar_file_id: id }));
    }, sayNoPicture);
    if (input.current) input.current.value = '';
  }
  const remove = () => submit(async () => onChange(await client.call('updateProfile', { avatar_file_id: null })));

  return (
    <>
      <div className={styles['picker']}>
        <Avatar
          name={account.display_name}
          username={account.username}
          kind="human"
          url={account.avatar_url}
          size={80}
        />
        <div className={styles['buttons']}>
          <input
            ref={input}
            type="file"
            hidden
            accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
            aria-label="Picture"
            onChange={({ target }) => void choose(target.files?.[0])}
          />
          <Button
            isBusy={isBusy}
            onClick={() => {
              clear();
              input.current?.click();
            }}
          >
            <ImageUp size={17} aria-hidden /> {account.avatar_url ? 'Change picture' : 'Add a picture'}
          </Button>
          {account.avatar_url ? (
            <Button look="quiet" disabled={isBusy} onClick={() => void remove()}>
              Remove
            </Button>
          ) : null}
        </div>
      </div>
      <Problem text={errorBut()} />
    </>
  );
}

class NoPicture extends Error {}

const sayNoPicture = (error: unknown) =>
  error instanceof NoPicture
    ? { field: null, text: 'This file isn’t a picture we can show. Choose a PNG, JPEG, GIF, WebP or AVIF.' }
    : null;
