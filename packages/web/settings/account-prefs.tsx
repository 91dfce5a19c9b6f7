import type { NotifPrefs } from '@parley/protocol';
import { Section } from '../ui/layout/section.tsx';
import { Switch } from '../ui/forms/switch.tsx';
import styles from '../config/settings.module.css';
import { t } from '../words/t.ts';

export function AccountPrefs({ prefs, onChange }: { prefs: NotifPrefs; onChange: (prefs: NotifPrefs) => void }) {
  const { private_chats, group_chats, message_preview, badge } = prefs;
  return (
    <>
      <Section
        title={t('All your devices')}
        hint={t('Muted conversations never notify you, whatever you choose here.')}
      >
        <Switch
          label={t('Show message text')}
          hint={t('Without it, notifications only say that there’s a new message.')}
          isOn={message_preview}
          onChange={(isOn) => onChange({ ...prefs, message_preview: isOn })}
        />
        <Category
          title={t('Direct chats')}
          category={private_chats}
          hasPreviews={message_preview}
          onChange={(category) => onChange({ ...prefs, private_chats: category })}
        />
        <Category
          title={t('Groups')}
          category={group_chats}
          hasPreviews={message_preview}
          onChange={(category) => onChange({ ...prefs, group_chats: category })}
        />
      </Section>
      <Section title={t('Number on the app’s icon')} hint={t('If your device can show one.')}>
        <div className={styles['group']}>
          <Switch
            label={t('Show the unread count')}
            isOn={badge.enabled}
            onChange={(enabled) => onChange({ ...prefs, badge: { ...badge, enabled } })}
          />
          <Switch
            label={t('Count groups too')}
            isOn={badge.include_groups}
            isDisabled={!badge.enabled}
            onChange={(include_groups) => onChange({ ...prefs, badge: { ...badge, include_groups } })}
          />
          <Switch
            label={t('Count messages, not conversations')}
            isOn={badge.count_messages}
            isDisabled={!badge.enabled}
            onChange={(count_messages) => onChange({ ...prefs, badge: { ...badge, count_messages } })}
          />
        </div>
      </Section>
    </>
  );
}

interface CategoryProps {
  title: string;
  category: NotifPrefs['private_chats'];
  hasPreviews: boolean;
  onChange: (category: NotifPrefs['private_chats']) => void;
}

function Category({ title, category, hasPreviews, onChange }: CategoryProps) {
  return (
    <fieldset className={styles['group']}>
      <legend>{title}</legend>
      <Switch label={t('Notify')} isOn={category.enabled} onChange={(enabled) => onChange({ ...category, enabled })} />
      <Switch
        label={t('Show the text')}
        isOn={category.preview}
        isDisabled={!category.enabled || !hasPreviews}
        onChange={(preview) => onChange({ ...category, preview })}
      />
      <Switch
        label={t('Sound')}
        isOn={category.sound}
        isDisabled={!category.enabled}
        onChange={(sound) => onChange({ ...category, sound })}
      />
    </fieldset>
  );
}
