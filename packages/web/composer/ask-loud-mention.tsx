import { Confirm } from '../ui/overlays/confirm.tsx';
import { t } from '../words/t.ts';

interface AskLoudMentionProps {
  /** How many people the message can notify. */
  people: number;
  onSend: () => void;
  onClose: () => void;
}

/** Asks whether a message that mentions everyone is to be sent. */
export default function AskLoudMention({ people, onSend, onClose }: AskLoudMentionProps) {
  return (
    <Confirm
      title={t('Mention everyone?')}
      text={t('Your message can notify {count, number} people.', { count: people })}
      action={t('Send')}
      onConfirm={async () => onSend()}
      onClose={onClose}
    />
  );
}
