import type { Visibility } from '@parley/protocol';
import { Choice } from '../../ui/forms/choice.tsx';
import styles from '../../config/settings.module.css';

const audiences: readonly { value: Visibility; label: string }[] = [
  { value: 'private', label: 'Only you' },
  { value: 'groups', label: 'People in its groups' },
  { value: 'public', label: 'Everyone' },
];

const meanings: Readonly<Record<Visibility, string>> = {
  private: 'Only you can start a chat with it. In a group that you add it to, everyone can ask it.',
  groups: 'People who share a group with it can also chat with it on their own.',
  public: 'Anyone here can find it and start a chat with it.',
};

interface AudienceChoiceProps {
  value: Visibility;
  onChange: (value: Visibility) => void;
}

/** Who may start a chat with an agent, and what each choice means. */
export const AudienceChoice = ({ value, onChange }: AudienceChoiceProps) => (
  <div className={styles['form']}>
    <Choice label="Who can start a chat with it" options={audiences} value={value} onChange={onChange} />
    <p className={styles['faint']}>{meanings[value]}</p>
  </div>
);
