import type { UploadedFile } from '@parley/protocol';
import { ImageUp } from 'lucide-react';
import { type ComponentProps, useRef } from 'react';
import { useSession } from '../session/session.ts';
import { useSubmit } from '../calls/use-submit.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/states/problem.tsx';
import styles from './avatar-picker.module.css';
import { t } from '../words/t.ts';

interface AvatarPickerProps {
  /** The account or group as it looks now. */
  who: Pick<ComponentProps<typeof Avatar>, 'name' | 'username' | 'kind' | 'url'>;
  /** Receives the photo that was uploaded; null removes the picture. */
  onChange: (photo: UploadedFile | null) => unknown;
  /** Why the service refused the picture. */
  error?: string | null;
}

/** Uploads or removes the picture of an account or a group. The service crops it to a square. */
export function AvatarPicker({ who, onChange, error = null }: AvatarPickerProps) {
  const { client } = useSession();
  const input = useRef<HTMLInputElement>(null);
  const { isBusy, errorBut, submit, clear } = useSubmit();

  async function choose(file: File | undefined) {
    if (!file) return;
    await submit(async () => {
      const photo = await client.api.uploadFile({ file });
      if (photo.kind !== 'photo') throw new NoPicture();
      await onChange(photo);
    }, sayNoPicture);
    if (input.current) input.current.value = '';
  }
  const remove = () => submit(async () => onChange(null));

  return (
    <>
      <div className={styles['picker']}>
        <Avatar {...who} size={88} />
        <div className="ui-wrap">
          <input
            ref={input}
            type="file"
            hidden
            accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
            aria-label={t('Picture')}
            onChange={({ target }) => void choose(target.files?.[0])}
          />
          <Button
            isBusy={isBusy}
            onClick={() => {
              clear();
              input.current?.click();
            }}
          >
            <ImageUp aria-hidden /> {who.url ? t('Change picture') : t('Add a picture')}
          </Button>
          {who.url ? (
            <Button look="quiet" disabled={isBusy} onClick={() => void remove()}>
              {t('Remove')}
            </Button>
          ) : null}
        </div>
      </div>
      <Problem text={errorBut() ?? error} />
    </>
  );
}

class NoPicture extends Error {}

const sayNoPicture = (error: unknown) =>
  error instanceof NoPicture
    ? { field: null, text: t('This file isn’t a picture we can show. Choose a PNG, JPEG, GIF, WebP or AVIF.') }
    : null;
