import type { Conversation } from '@parley/protocol';
import { useSession } from '../../session/session.ts';
import { Switch } from '../../ui/forms/switch.tsx';
import { t } from '../../words/t.ts';

/** Who may join a group, and who writes there. */
export type Openness = Pick<Conversation, 'visibility' | 'posting'>;

export const closed: Openness = { visibility: 'private', posting: 'everyone' };

interface OpennessFieldsProps {
  openness: Openness;
  onChange: (openness: Openness) => void;
}

/** Switches for both. Who may not make groups public does not see the first; a guest ends that one is (ENTER-5). */
export function OpennessFields({ openness, onChange }: OpennessFieldsProps) {
  const { may } = useSession();
  return (
    <div>
      {may('setChatVisibility') && (openness.visibility === 'public' || may('browseChats')) ? (
        <Switch
          label={t('Public group')}
          hint={t('Everyone can find it and join without an invite.')}
          isOn={openness.visibility === 'public'}
          onChange={(isOn) => onChange({ ...openness, visibility: isOn ? 'public' : 'private' })}
        />
      ) : null}
      <Switch
        label={t('Only owner and admins write')}
        hint={t('Everyone else can read and react.')}
        isOn={openness.posting === 'managers'}
        onChange={(isOn) => onChange({ ...openness, posting: isOn ? 'managers' : 'everyone' })}
      />
    </div>
  );
}
