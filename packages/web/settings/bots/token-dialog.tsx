import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from '../../config/settings.module.css';

/** A bot's token, which is shown this once. */
export function TokenDialog({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <Dialog
      title="The bot’s token"
      isOpen
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          I have kept it
        </Button>
      }
    >
      <div className={styles['form']}>
        <p className={styles['faint']}>
          Keep it where your program finds it: it is shown this once, and whoever has it speaks as the bot.
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
