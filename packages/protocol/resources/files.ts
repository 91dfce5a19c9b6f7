// Files and attachments.
import { z } from 'zod';
import { withoutCombinations } from '../combinations.ts';
import { base64, boundedJson, label, optional, uuid } from '../fields.ts';
import { limits } from '../limits.ts';

const size = () => optional(z.number().int().min(0));

const attachmentKind = z
  .enum(['news', 'ticker', 'positions', 'photo', 'file'])
  .describe('what is attached: a photo, another file, or a card made of `data`');

const attachmentFields = {
  id: optional(uuid()).meta({ description: 'id of a file uploaded with `uploadFile`' }),
  url: optional(label(4096, 0)).describe(
    "where it is; of an uploaded file a path relative to the service's address, valid for up to 10 minutes",
  ),
  thumbnail_url: optional(label(4096, 0)).describe(
    'of an uploaded photo or SVG: a WebP image of at most 512 pixels, at an address like `url`',
  ),
  name: optional(label(1024, 0)).describe('the name of the file'),
  mime_type: optional(label(256, 0)).describe(
    'the media type, such as `image/png`; of an uploaded file detected from its content',
  ),
  size: size().describe('in bytes'),
  width: size().describe('of a photo or video, in pixels'),
  height: size().describe('of a photo or video, in pixels'),
  alt: optional(label(4096, 0)).meta({ description: 'what a photo shows, for those who do not see it' }),
  title: optional(label(1024, 0)).describe('the heading of a card'),
  data: z.unknown().optional().describe('of a card: what it shows, any JSON'),
  duration_ms: optional(z.number().int().min(0).max(limits.soundMs)).meta({ description: 'of a recorded sound' }),
  waveform: optional(base64(limits.waveformBytes)).meta({
    description: 'of a recorded sound: a byte for the loudness of each of its equal pieces, as base64',
  }),
};

/** What a list of getChatMedia contains: photos and videos, other files, or links. */
export const mediaKind = z.enum(['media', 'files', 'links']).describe('photos and videos, other files, or links');

/** What the messages hold that a search is limited to. */
export const searchedKind = z.enum(['image', 'video', 'audio', 'file', 'link']);

/** Fields with other names are kept as sent. */
export const Attachment = z.looseObject({
  kind: attachmentKind,
  ...attachmentFields,
  transcript: z.string().optional().meta({
    description: 'of a voice message: what a model heard in it; empty if that were no words',
  }),
});

/**
 * With `id`, the service's record of the file overrides all fields named here; without it `thumbnail_url` is ignored.
 */
export const AttachmentInput = withoutCombinations(
  boundedJson(z.looseObject({ kind: optional(attachmentKind), ...attachmentFields }), limits.attachmentBytes),
  { when: { id: 'absent', kind: 'absent' }, at: 'kind', message: 'or the id of a file is required' },
);

/** A file stored by the service: an Attachment with an `id`. */
export const UploadedFile = z.object({
  id: z.uuid(),
  kind: z
    .enum(['photo', 'file'])
    .describe('a photo has a thumbnail and a size in pixels; of other files an SVG has a thumbnail'),
  name: z.string().describe('the name that the client gave'),
  mime_type: z.string().meta({ description: 'detected from the content' }),
  size: z.int().describe('in bytes'),
  width: z.int().optional().meta({ description: 'of a photo, with its orientation applied' }),
  height: z.int().optional().describe('of a photo, in pixels, with its orientation applied'),
  url: z.string().describe("relative to the service's address, valid for up to 10 minutes"),
  thumbnail_url: z.string().optional().meta({ description: 'a WebP image of at most 512 pixels' }),
});

export type MediaKind = z.output<typeof mediaKind>;
export type SearchedKind = z.output<typeof searchedKind>;
export type Attachment = z.output<typeof Attachment>;
export type AttachmentInput = z.output<typeof AttachmentInput>;
export type UploadedFile = z.output<typeof UploadedFile>;
