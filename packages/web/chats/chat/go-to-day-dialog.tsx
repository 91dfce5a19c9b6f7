import { useNavigate, useRoute } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { DayForm } from '../../ui/forms/day-form.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { t } from '../../words/t.ts';

/** Asks for a day and opens the conversation there. */
export default function GoToDayDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const route = useRoute();
  function go(day: string) {
    onClose();
    if (route.name === 'chat') navigate(chatRoute(route.chatId, { channelId: route.channelId, day }));
  }
  return (
    <Dialog title={t('Go to a day')} isOpen onClose={onClose}>
      <DayForm day={new Date()} onChoose={go} />
    </Dialog>
  );
}
