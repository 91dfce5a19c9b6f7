import { z } from 'zod';
import { isoTime } from '../fields.ts';
import { UploadedFile } from './files.ts';

/** What has become of a source: `reading`: its text is not read yet, or is being read again. */
export const sourceState = z
  .enum(['reading', 'ready', 'failed'])
  .describe('`reading`: it is being read, or waits for that; `ready`: the agent finds its text; `failed`: it has none');
/** Why a source could not be read. */
export const sourceFailure = z
  .enum([
    'missing',
    'damaged',
    'locked',
    'too_large',
    'no_text',
    'unreachable',
    'not_allowed',
    'not_a_page',
    'library_full',
    'storage_full',
  ])
  .describe(
    '`no_text`: no words stand in it, as in a scan; `not_allowed`: the operator does not let the service read this address; `not_a_page`: what is there is neither a page nor a text; `library_full`: the texts of the library have no more room; `storage_full`: its owner stores as much as a person may',
  );

/** A file or a page in the library of an agent. */
export const AgentSource = z.object({
  id: z.uuid(),
  title: z.string().describe('what it is called'),
  kind: z.enum(['file', 'page']).describe('a file that the owner has uploaded, or a page of the web'),
  open: z.boolean().describe('whether all who may use the agent may open it'),
  file: UploadedFile.optional().meta({ description: 'of a file that the caller may open' }),
  url: z.string().optional().meta({ description: 'of a page that the caller may open: its address' }),
  state: sourceState.optional().meta({ description: 'only if the caller is the owner' }),
  failure: sourceFailure.optional().meta({
    description:
      'only if the caller is the owner: why it could not be read; with the state `ready` an earlier text is still there',
  }),
  cut: z
    .boolean()
    .optional()
    .meta({ description: 'only if the caller is the owner: whether only its beginning was read' }),
  bytes: z.int().optional().meta({ description: 'only if the caller is the owner: what is stored of its text' }),
  added_at: isoTime().optional().meta({ description: 'only if the caller is the owner' }),
  read_at: isoTime().optional().meta({ description: 'only if the caller is the owner: when it was last read' }),
});
export type AgentSource = z.output<typeof AgentSource>;
export type SourceFailure = z.output<typeof sourceFailure>;
