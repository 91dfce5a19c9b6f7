import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import styles from '../../config/settings.module.css';

/** Shows a bot's token once. */
export function TokenDialog({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <Dialog
      title="The bot’s token"
      isOpen
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          I’ve saved it
        </Button>
      }
    >
      <div className={styles['form']}>
        <p className={styles['faint']}>
          Save it where your program can read it: it’s shown only once. Keep it secret: anyone who has it can act as the
          bot.
        </p>
        <input
          className={styles['token']}
          readOnly
          value={token}
          aria-label="Token"
          onFocus={({ target }) => target.select()}
        />
        <div className={styles['buttons']}>
          <CopyButton text={token} label="Copy token" />
        </div>
      </div>
    </Dialog>
  );
}
