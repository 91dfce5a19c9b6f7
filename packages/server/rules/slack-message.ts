// Messages as Slack's incoming webhooks take them, in our Markdown (WEBHOOK-5). The time is linear in the text.
import { escaped, FENCE, link, markdownOf } from './slack-mrkdwn.ts';

/** Fields that only Slack's form of a message has. */
const SLACK_FIELDS = ['blocks', 'mrkdwn', 'username', 'icon_emoji', 'icon_url', 'channel', 'unfurl_links'];
/** Fields of an attachment at Slack that is no attachment of ours, which has a kind or an id. */
const ATTACHMENT_FIELDS = ['blocks', 'fallback', 'fields', 'image_url', 'pretext', 'text', 'title'];
/** Maximum blocks of a message, as at Slack. */
const MAX_BLOCKS = 50;
/** Maximum attachments of a message; at Slack more are bad style. */
const MAX_ATTACHMENTS = 20;

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

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

const blocksText = (blocks: unknown): string => paragraphs(fieldsIn(blocks).slice(0, MAX_BLOCKS).map(blockText));

/** What monitors and build servers still send instead of blocks. Its fallback is for programs that show no attachment. */
function attachmentText(attachment: Fields): string {
  const [title, author] = [textIn(attachment['title']), textIn(attachment['author_name'])];
  const shown = paragraphs([
    lines([
      markdownOf(textIn(attachment['pretext'])),
      link(author, attachment['author_link']) || escaped(author),
      bold(link(title, attachment['title_link']) || escaped(title)),
      markdownOf(textIn(attachment['text'])),
    ]),
    lines(fieldsIn(attachment['fields']).map(fieldText)),
    blocksText(attachment['blocks']),
    link('image', attachment['image_url']),
    words(
      fieldsIn(attachment['actions']).map(({ text, url }) => link(textIn(text), url)),
      ' · ',
    ),
    escaped(textIn(attachment['footer'])),
  ]);
  return shown || escaped(textIn(attachment['fallback']));
}

const fieldText = ({ title, value }: Fields): string =>
  words([bold(escaped(textIn(title))), markdownOf(textIn(value))], ': ');

const paragraphs = (texts: readonly string[]): string => texts.filter(Boolean).join('\n\n');
const bold = (text: string): string => {
  const shown = text.replaceAll(/\s+/g, ' ').trim();
  return shown === '' ? '' : `**${shown}**`;
};

function blockText(block: Fields): string {
  switch (block['type']) {
    case 'header':
      return heading(richText(block['text']));
    case 'section':
      return lines([richText(block['text']), ...fieldsIn(block['fields']).map(richText), element(block['accessory'])]);
    case 'context':
      return words(fieldsIn(block['elements']).map(element));
    case 'actions':
      return words(fieldsIn(block['elements']).map(element), ' · ');
    case 'image':
      return lines([richText(block['title']), element(block)]);
    case 'divider':
      return '---';
    default:
      return '';
  }
}

const lines = (texts: readonly string[]): string => texts.filter(Boolean).join('\n');
/** In one line, unless there is a block of code. */
const words = (texts: readonly string[], between = ' '): string =>
  texts.some((text) => text.includes(FENCE)) ? lines(texts) : texts.filter(Boolean).join(between);
const heading = (text: string): string => (text === '' ? '' : `## ${text.replaceAll(/\s+/g, ' ')}`);

/** A text, a picture or a button that opens a page; other elements need an app at Slack. */
function element(value: unknown): string {
  if (!isFields(value)) return '';
  if (value['type'] === 'image') return link(textIn(value['alt_text']) || 'image', value['image_url']);
  if (value['type'] === 'button')
    return link(textIn(isFields(value['text']) ? value['text']['text'] : ''), value['url']);
  return richText(value);
}

/** A text object: `mrkdwn`, or `plain_text`, whose characters mean nothing. */
function richText(value: unknown): string {
  if (!isFields(value)) return '';
  const text = textIn(value['text']);
  return value['type'] === 'plain_text' ? escaped(text) : value['type'] === 'mrkdwn' ? markdownOf(text) : '';
}
