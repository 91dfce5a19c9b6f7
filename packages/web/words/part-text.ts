import type { PartCause, PartOf } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { calmText } from './calm-text.ts';
import { listOf } from './list-of.ts';
import { t } from './t.ts';

/** The text of a notice or of progress: the service's own in the app's words (WEB-430), those of bots in theirs. */
export const partText = ({ text, cause }: Pick<PartOf<'notice' | 'progress'>, 'text' | 'cause'>): string =>
  (cause && causeText(cause)) ?? calmText(text);

/** Undefined for a cause that this build of the app does not know. */
function causeText(cause: PartCause): string | undefined {
  switch (cause.kind) {
    case 'files_unread': {
      const lines = cause.reasons.map(({ reason, ...files }) => unreadText(reason, namesOf(files)));
      return lines.includes(undefined) ? undefined : lines.join('\n');
    }
    case 'files_refused':
      return t(
        'This model didn’t take {files}. Choose a model that reads images and files, or describe what is in them.',
        {
          files: namesOf(cause),
        },
      );
    case 'messages_left_out':
      return leftOutText(cause);
    case 'thinking_refused':
      return t(
        'This model doesn’t think before it answers, as the agent’s settings ask it to. Choose another model, or turn thinking off.',
      );
    case 'tools_refused':
      if (cause.names)
        return t('This model didn’t take the tools {tools}, so it answered without them.', {
          tools: namesOf({ names: cause.names, count: cause.count ?? cause.names.length }),
        });
      return t('This model can’t use tools, so it answered without them. Choose another model.');
    case 'search_refused':
      return t(
        'This model can’t search the web, so it answered without. Choose another model, or turn web search off.',
      );
    case 'picture_lost':
      return t('The model has drawn a picture that could not be kept.');
    case 'parts_left_out':
      return t('The rest of what the model thought and looked up was too long to keep.');
    case 'summarizing':
      return t('Reading earlier messages …');
    // A newer service.
    default:
      return undefined;
  }
}

type Cause<Kind extends PartCause['kind']> = Extract<PartCause, { kind: Kind }>;
type Unread = Cause<'files_unread'>['reasons'][number];

function namesOf({ names, count }: Omit<Unread, 'reason'>): string {
  const more = count - names.length;
  return listOf([
    ...names.map((name) => t('“{title}”', { title: name })),
    ...(more > 0 ? [t('{count, number} more', { count: more })] : []),
  ]);
}

/** One file or several: the texts name no number. */
function unreadText(reason: Unread['reason'], files: string): string | undefined {
  switch (reason) {
    case 'gone':
      return t('Not read: {files}. No longer available.', { files });
    case 'missing':
      return t('Not read: {files}. The content is missing. Send it again.', { files });
    case 'damaged':
      return t('Not read: {files}. The content can’t be read. Send it in another format.', { files });
    case 'locked':
      return t('Not read: {files}. Protected by a password. Send a copy without one.', { files });
    case 'no_text':
      return t('Not read: {files}. There is no text inside. Send the pages as photos.', { files });
    case 'too_large':
      return t('Not read: {files}. Too large. Send the part that matters.', { files });
    case 'unknown_type':
      return t('Not read: {files}. Agents can’t read this type. Send photos, PDF, office or text files.', { files });
    case 'too_many':
      return t(
        'Not read: {files}. An agent reads at most {photos, number} photos and {most, number} files at once. Ask about fewer.',
        { files, photos: limits.contextImages, most: limits.contextFiles },
      );
    case 'too_much':
      return t('Not read: {files}. Too large together. Ask about fewer files.', { files });
    case 'too_late':
      return t('Not read: {files}. Reading took too long. Ask again in a moment.', { files });
    case 'busy':
      return t('Not read: {files}. Too many files are being read right now. Ask again in a moment.', { files });
    case 'unavailable':
      return t('Not read: {files}. Reading isn’t possible right now. Ask again in a moment.', { files });
    default:
      return undefined;
  }
}

function leftOutText({ sent: count, summarized, has_others: hasOthers }: Cause<'messages_left_out'>): string {
  const sent = t(
    '{count, plural, one {Only the last message was sent to the model.} other {Only the last # messages were sent to the model.}}',
    { count },
  );
  if (summarized === undefined) return t('{sent} Earlier ones no longer fit.', { sent });
  const told = t(
    '{sent} {count, plural, one {An earlier one was summarized for it.} other {# earlier ones were summarized for it.}}',
    { sent, count: summarized },
  );
  return hasOthers ? t('{told} The others no longer fit.', { told }) : told;
}
