import type { Cast } from './play-session.ts';

/** Ann, who owns the service, resolves what cid has reported, and reads what was done. */
export async function organization({ recorder, ann, bob, cid, chat_id }: Cast): Promise<void> {
  const { id: message_id } = await bob.api.sendMessage({ chat_id, text: 'Buy tickets at my shop' });
  const reported = { message_id, reason: 'It is an advertisement' };
  const { id: report_id } = await recorder.call(cid.token, 'reportMessage', reported);
  await recorder.call(ann.token, 'getReports', { state: 'open', limit: 10 });
  await recorder.call(ann.token, 'resolveReport', { report_id, action: 'delete', note: 'Bob knows' });
  await recorder.refuse('resolveReport', { token: ann.token, request: { report_id, action: 'none' } });
  await recorder.call(ann.token, 'getAudit', { action: 'resolveReport', limit: 10 });
}
