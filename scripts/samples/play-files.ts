import type { Cast } from './play-session.ts';

/** A photo of 16 by 12 pixels. */
const photo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAMCAIAAADkharWAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAFUlEQVQoz2PQyt9AEmIY1TCqATsCAA7h9sEbEzLtAAAAAElFTkSuQmCC',
  'base64',
);

/** Bob uploads a file and sends it; the files of the conversation are listed. */
export async function files({ world, recorder, bob, chat_id }: Cast): Promise<void> {
  const { id } = await recorder.upload(bob.token, 'uploadFile', new File([photo], 'the sea.png'));
  await recorder.call(bob.token, 'sendMessage', { chat_id, text: 'Look', attachments: [{ id }] });
  await world.settle();
  await recorder.call(bob.token, 'getChatMedia', { chat_id, kind: 'media', limit: 1 });
}
