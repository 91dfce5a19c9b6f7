import { Confirm } from '../../ui/confirm.tsx';
import { useBlockedNames } from './use-block.ts';

interface BlockDialogProps {
  username: string;
  displayName: string;
  onClose: () => void;
}

/** Asks before somebody is blocked. */
export function BlockDialog({ username, displayName, onClose }: BlockDialogProps) {
  const blocked = useBlockedNames();
  return (
    <Confirm
      title={`Block ${displayName}`}
      text="Neither of you can write to the other directly, and nothing notifies you of them. Groups stay as they are. They are not told; they only see that they cannot write to you."
      action="Block"
      isDanger
      onConfirm={() => blocked.block(username)}
      onClose={onClose}
    />
  );
}
