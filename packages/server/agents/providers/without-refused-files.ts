import type { MessageFile } from '../../rules/context-files.ts';
import { ByModel } from './by-model.ts';
import type { Downgrade } from './openai.ts';
import { accepts, type AgentProvider, ProviderError, type ProviderMessage } from './provider.ts';
import type { RequestPart } from './refused-parts.ts';
import { namesThinking } from './without-refused-thinking.ts';

/** Words in which servers refuse the images and documents of a request. */
const fileWords =
  /\bimages?\b|image_url|vision|multi-?modal|mmproj|\bpdfs?\b|\bdocuments?\b|file_data|\bcontent\b.*\b(?:string|text)\b|unknown variant/i;
/** The request is refused for another reason, which stays without the files. */
const another = /temperature|max_(?:completion_)?tokens/i;
const isAnotherPart = (part: RequestPart): boolean => part === 'temperature' || part === 'token limit';

/** Whether a refusal is about images and documents: by its code, by the part that it names, or else by its words. */
export const namesFiles = ({ message, refusal: { part, reason } }: ProviderError): boolean =>
  reason === 'file' || part === 'content' || (part === undefined && fileWords.test(message));

/**
 * Words of a server whose model takes no files at all. Other refusals that name files are about one of them: a user who
 * sends an odd image must not take the sight from all users of the model.
 */
const takesNone =
  /\bnot (?:\w+ )?support|only supported|unknown variant|must be a string|valid string|expected (?:a )?(?:string|`?text)|not a multi-?modal|mmproj|not enabled|missing data required|no endpoints|only accepts? text/i;
const aboutOne = /more than|at most|too (?:many|large|big)|exceed|format/i;

/**
 * Asks again without images and documents if the server refuses them, and from then on if the model takes none
 * (PROVIDER-19). An `unseen` event tells which files the model did not receive.
 */
export function withoutRefusedFiles(
  provider: AgentProvider,
  onDowngrade?: (downgrade: Downgrade) => void,
): AgentProvider {
  const blind = new ByModel<true>();
  return {
    async *stream(request, signal, heard) {
      const { baseUrl, model, messages } = request;
      const files = messages.flatMap((message) => message.files ?? []);
      let refusal: ProviderError | undefined;
      if (files.length > 0 && !blind.get(request)) {
        try {
          yield* provider.stream(request, signal, heard);
          return undefined;
        } catch (error) {
          if (!refusesFiles(error) || (request.thinking && namesThinking(error))) throw error;
          refusal = error;
        }
      }
      let isFirst = files.length > 0;
      let isBefore = isFirst;
      try {
        for await (const event of provider.stream({ ...request, messages: messages.map(inText) }, signal, heard)) {
          if (isBefore) yield { type: 'unseen', files };
          isBefore = false;
          if (isFirst && accepts(event) && refusal && isLasting(refusal)) {
            blind.set(request, true);
            if (baseUrl === undefined) onDowngrade?.({ model, leftOut: 'files' });
          }
          isFirst &&= !accepts(event);
          yield event;
        }
      } catch (error) {
        // The files were not the reason: report the first refusal, which says most.
        throw refusal && isFirst && isRefusal(error) ? refusal : error;
      }
      return undefined;
    },
  };
}

/** The message with the text that stands for each file. */
function inText({ files, ...message }: ProviderMessage): ProviderMessage {
  const texts = (files ?? []).map(({ instead }: MessageFile) => instead);
  return { ...message, text: [message.text, ...texts].join('') };
}

/** Refusals of the whole request; errors inside a stream have no status. */
const isRefusal = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && [400, 404, 413, 415, 422, 500, 501].includes(error.status ?? 0);

function refusesFiles(error: unknown): error is ProviderError {
  if (!isRefusal(error)) return false;
  const { status = 0, kind, message, refusal } = error;
  // Of a request that is too long, its files are what can be left out.
  if (status === 415 || kind === 'too_long' || namesFiles(error)) return true;
  // Servers that name no reason; 404 and 500 have other reasons more often.
  const isAnother = refusal.part ? isAnotherPart(refusal.part) : another.test(message);
  return (status === 400 || status === 422) && !isAnother;
}

function isLasting(error: ProviderError): boolean {
  const { message, refusal } = error;
  if (!namesFiles(error)) return false;
  if (refusal.reason !== undefined) return refusal.reason === 'unsupported';
  return takesNone.test(message) && !aboutOne.test(message);
}
