import type { Cast } from './play-session.ts';

/** A photo of 16 by 12 pixels. */
const photo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAMCAIAAADkharWAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAFUlEQVQoz2PQyt9AEmIY1TCqATsCAA7h9sEbEzLtAAAAAElFTkSuQmCC',
  'base64',
);

/** Bob uploads a file, sends it and makes it an emoji for a moment; the files of the conversation are listed. Ann gives it a picture. */
export async function files(cast: Cast): Promise<void> {
  const { world, recorder, ann, bob, chat_id } = cast;
  const { id } = await recorder.upload(bob.token, 'uploadFile', new File([photo], 'the sea.png'));
  await recorder.call(bob.token, 'sendMessage', { chat_id, text: 'Look', attachments: [{ id }] });
  await world.settle();
  await recorder.call(bob.token, 'getChatMedia', { chat_id, kind: 'media', limit: 1 });
  const { id: picture } = await ann.api.uploadFile({ file: new File([photo], 'the sea.png') });
  await recorder.call(ann.token, 'setChatAvatar', { chat_id, avatar_file_id: picture });
  await recorder.call(bob.token, 'createEmoji', { name: 'the_sea', file_id: id });
  await recorder.call(bob.token, 'getEmoji', { limit: 1 });
  await recorder.call(bob.token, 'deleteEmoji', { name: 'the_sea' });
  await voiceMessage(cast);
}

/** The first bytes of a recorded sound. */
const sound = Buffer.from('OggS\0\x02\0\0\0\0\0\0\0\0'.padEnd(28, '\0') + 'OpusHead');

/** Ann's agent transcribes what she says to it. */
async function voiceMessage({ world, recorder, ann }: Cast): Promise<void> {
  const key = 'example-key-of-nobody-9876';
  await ann.api.setAgentKey({ provider: 'provider_b', api_key: key });
  world.providers.script(key, { chunks: ['When does the train leave?'] });
  const { id: chat_id } = await ann.api.startChat({ username: 'ann:provider_b' });
  const { id } = await ann.api.uploadFile({ file: new File([sound], 'Voice message.ogg') });
  const said = { chat_id, text: '', attachments: [{ id, duration_ms: 2_100 }] };
  const { id: message_id } = await ann.api.sendMessage(said);
  await world.turnsEnded();
  await recorder.call(ann.token, 'transcribeMessage', { message_id });
  await ann.api.removeAgentKey({ provider: 'provider_b' });
}
