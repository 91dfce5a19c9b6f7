import { Confirm } from '../../ui/overlays/confirm.tsx';
import { useBlockedNames } from './use-block.ts';
import { t } from '../../words/t.ts';

interface BlockDialogProps {
  username: string;
  displayName: string;
  onClose: () => void;
}

/** Asks before blocking an account. */
export function BlockDialog({ username, displayName, onClose }: BlockDialogProps) {
  const blocked = useBlockedNames();
  return (
    <Confirm
      title={t('Block {name}', { name: displayName })}
      text={t(
        'You can’t message each other directly, and you get no notifications about them. Groups stay as they are. They aren’t told; they only see that they can’t message you.',
      )}
      action={t('Block')}
      isDanger
      onConfirm={() => blocked.block(username)}
      onClose={onClose}
    />
  );
}
