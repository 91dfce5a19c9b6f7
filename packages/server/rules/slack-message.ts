// Messages as Slack's incoming webhooks take them, in our Markdown (WEBHOOK-5). The time is linear in the text.
import { textIn } from './json-values.ts';
import { blocksText } from './slack-blocks.ts';
import { bold, fieldsIn, type Fields, lines, paragraphs, words } from './slack-fields.ts';
import { labelOf, lineOf, link, markdownOf } from './slack-mrkdwn.ts';

/** Fields that only Slack's form of a message has. */
const SLACK_FIELDS = ['blocks', 'mrkdwn', 'username', 'icon_emoji', 'icon_url', 'channel', 'unfurl_links'];
/** Fields of an attachment at Slack that is no attachment of ours, which has a kind or an id. */
const ATTACHMENT_FIELDS = ['blocks', 'fallback', 'fields', 'image_url', 'pretext', 'text', 'title'];
/** Maximum attachments of a message; at Slack more are bad style. */
const MAX_ATTACHMENTS = 20;

/** Whether a body is in Slack's form: it has a field of Slack's, or a text with a link or a mention as Slack writes them. */
export const isSlackMessage = (body: Fields): boolean =>
  SLACK_FIELDS.some((field) => body[field] !== undefined) ||
  fieldsIn(body['attachments']).some(isSlackAttachment) ||
  /<(?:[^\s<>|]+\||[@#!]\w)[^<>]*>/.test(textIn(body['text']));

const isSlackAttachment = (attachment: Fields): boolean =>
  attachment['kind'] === undefined &&
  attachment['id'] === undefined &&
  ATTACHMENT_FIELDS.some((field) => attachment[field] !== undefined);

/**
 * The text of a message in Slack's form, and below it that of its attachments. With blocks, its `text` is only what
 * notifications show, unless none can be shown.
 */
export function slackText(body: Fields): string {
  const attachments = fieldsIn(body['attachments']).slice(0, MAX_ATTACHMENTS);
  return paragraphs([
    blocksText(body['blocks']) || markdownOf(textIn(body['text'])),
    ...attachments.map(attachmentText),
  ]);
}

/** What monitors and build servers still send instead of blocks. Its fallback is for programs that show no attachment. */
function attachmentText(attachment: Fields): string {
  const [title, author] = [textIn(attachment['title']), textIn(attachment['author_name'])];
  const shown = paragraphs([
    lines([
      markdownOf(textIn(attachment['pretext'])),
      link(labelOf(author), attachment['author_link']) || lineOf(author),
      bold(link(labelOf(title), attachment['title_link']) || lineOf(title)),
      markdownOf(textIn(attachment['text'])),
    ]),
    lines(fieldsIn(attachment['fields']).map(fieldText)),
    blocksText(attachment['blocks']),
    link('image', attachment['image_url']),
    words(
      fieldsIn(attachment['actions']).map(({ text, url }) => link(labelOf(textIn(text)), url)),
      ' · ',
    ),
    lineOf(textIn(attachment['footer'])),
  ]);
  return shown || lineOf(textIn(attachment['fallback']));
}

const fieldText = ({ title, value }: Fields): string =>
  words([bold(lineOf(textIn(title))), markdownOf(textIn(value))], ': ');
