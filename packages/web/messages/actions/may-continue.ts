import type { StoredMessage } from '@parley/client/store';

/** Whether a reply was cut off by a limit, so that its asker may have it continued (CONTINUE-2). */
export const isCutOff = ({ status, finish_reason, content, sender }: StoredMessage): boolean =>
  status === 'complete' && finish_reason === 'length' && content !== '' && sender.kind === 'agent';
