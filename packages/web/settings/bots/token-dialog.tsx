import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import styles from '../../config/settings.module.css';
import { t } from '../../words/t.ts';

/** Shows a bot's token once. */
export function TokenDialog({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <Dialog
      title={t('The bot’s token')}
      isOpen
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          {t('I’ve saved it')}
        </Button>
      }
    >
      <div className={styles['form']}>
        <p className={styles['faint']}>
          {t(
            'Save it where your program can read it: it’s shown only once. Keep it secret: anyone who has it can act as the bot.',
          )}
        </p>
        <input
          className={styles['token']}
          readOnly
          value={token}
          aria-label={t('Token')}
          onFocus={({ target }) => target.select()}
        />
        <div className={styles['buttons']}>
          <CopyButton text={token} label={t('Copy token')} />
        </div>
      </div>
    </Dialog>
  );
}
