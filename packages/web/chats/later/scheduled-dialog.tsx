import { Clock } from 'lucide-react';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { t } from '../../words/t.ts';
import { ScheduledList } from './scheduled-list.tsx';

/** What the user has scheduled in all conversations, also messages of those that it has left. */
export default function ScheduledDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('Scheduled')} isOpen onClose={onClose} shape="wide">
      <ScheduledList
        chat={null}
        onLeave={onClose}
        empty={
          <EmptyState
            icon={<Clock />}
            title={t('Nothing scheduled. Messages for later and your reminders will show up here.')}
          />
        }
      />
    </Dialog>
  );
}
