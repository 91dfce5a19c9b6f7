import type { StoredMessage } from '@parley/client/store';
import WhenDialog from '../../chats/later/when-dialog.tsx';
import { useComposings } from '../../composer/composing/composing.ts';
import { useSession } from '../../session/session.ts';
import { t } from '../../words/t.ts';
import { untilTime } from '../../words/times.ts';

interface RemindDialogProps {
  message: StoredMessage;
  onClose: () => void;
}

/** Asks when the user wants to be reminded of a message. */
export default function RemindDialog({ message, onClose }: RemindDialogProps) {
  const { client } = useSession();
  const composings = useComposings();
  const { id: message_id, conversation_id: chat_id, channel_id, thread_root_id } = message;
  async function remind(at: Date) {
    const { remind_at } = await client.call('remindMe', { message_id, remind_at: at.toISOString() });
    const text = t('Reminder: {time}', { time: untilTime(remind_at) });
    composings.signal('note', { chat_id, channel_id, thread_root_id }, { text, isError: false });
  }
  return <WhenDialog title={t('Remind me')} action={t('Remind me')} onChoose={remind} onClose={onClose} />;
}
