import { t } from '../../words/t.ts';
import { ShownOnce } from '../account/shown-once.tsx';

/** Shows a bot's token once. */
export const TokenDialog = ({ token, onClose }: { token: string; onClose: () => void }) => (
  <ShownOnce
    title={t('The bot’s token')}
    hint={t(
      'Save it where your program can read it: it’s shown only once. Keep it secret: anyone who has it can act as the bot.',
    )}
    label={t('Token')}
    copyLabel={t('Copy token')}
    value={token}
    onClose={onClose}
  />
);
