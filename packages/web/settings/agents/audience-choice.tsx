import type { Visibility } from '@parley/protocol';
import { Stack } from '../../ui/layout/stack.tsx';
import { Choice } from '../../ui/forms/choice.tsx';
import { t } from '../../words/t.ts';

const audiences: readonly { value: Visibility; label: string }[] = [
  { value: 'private', label: t('Only you') },
  { value: 'groups', label: t('People in its groups') },
  { value: 'public', label: t('Everyone') },
];

const meanings: Readonly<Record<Visibility, string>> = {
  private: t('Only you can start a chat with it. In a group that you add it to, everyone can ask it.'),
  groups: t('People who share a group with it can also chat with it on their own.'),
  public: t('Anyone here can find it and start a chat with it.'),
};

interface AudienceChoiceProps {
  value: Visibility;
  onChange: (value: Visibility) => void;
}

/** Who may start a chat with an agent, and what each choice means. */
export const AudienceChoice = ({ value, onChange }: AudienceChoiceProps) => (
  <Stack>
    <Choice label={t('Who can start a chat with it')} options={audiences} value={value} onChange={onChange} />
    <p className="ui-about">{meanings[value]}</p>
  </Stack>
);
