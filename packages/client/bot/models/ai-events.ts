import {
  endEvent,
  type Fields,
  fieldsOf,
  type Reading,
  sourceEvent,
  textIn,
  toolEvent,
  usageEvent,
} from './model-event.ts';

/** Events that add nothing to a reply. */
const SILENT = new Set([
  'custom',
  'file',
  'finish-step',
  'message-metadata',
  'model-call-end',
  'model-call-response-metadata',
  'model-call-start',
  'ping',
  'raw',
  'reasoning-file',
  'reasoning-signature',
  'reasoning-start',
  'redacted-reasoning',
  'reset-step',
  'response-metadata',
  'source-document',
  'start',
  'start-step',
  'steering-message',
  'step-finish',
  'step-start',
  'stream-start',
  'text-end',
  'text-start',
  'tool-approval-request',
  'tool-approval-response',
  'tool-call-delta',
  'tool-call-streaming-start',
  'tool-input-delta',
  'tool-input-end',
  'tool-input-start',
]);

/** The names and inputs of tools by their id: the results of a stream for a user interface do not repeat them. */
export type KnownTools = Map<string, { name: string; input?: unknown }>;

/**
 * Reads an event of the package `ai` (versions 4 and later): of its `fullStream`, and of its streams for user
 * interfaces. They have no types here, because the SDK depends on no package.
 */
export function readAiEvent(value: Fields, tools: KnownTools): Reading {
  const type = textIn(value['type']);
  const text = textIn(value['text'] ?? value['textDelta'] ?? value['delta']);
  const id = textIn(value['toolCallId']);
  const known = tools.get(id);
  const name = textIn(value['toolName']) || (known?.name ?? '');
  const input = value['input'] ?? value['args'] ?? known?.input;
  const tool = { id, name, input };
  switch (type) {
    case 'text-delta':
      return [{ text }];
    case 'reasoning':
    case 'reasoning-delta':
      return [{ think: text }];
    case 'reasoning-end':
      return [{ thought: 'over' }];
    case 'tool-call':
    case 'tool-input-available':
      tools.set(id, { name, input });
      return [toolEvent({ ...tool, status: 'running' })];
    case 'tool-result':
    case 'tool-output-available': {
      const output = value['output'] ?? value['result'];
      return [toolEvent({ ...tool, output, status: value['preliminary'] === true ? 'running' : 'done' })];
    }
    case 'tool-error':
    case 'tool-input-error':
    case 'tool-output-error':
      return [toolEvent({ ...tool, error: value['error'] ?? value['errorText'] ?? 'failed', status: 'failed' })];
    case 'tool-output-denied':
      return [toolEvent({ ...tool, status: 'denied' })];
    case 'source': {
      // Version 4 has the source in a field of its own.
      const { url, title } = fieldsOf(value['source'] ?? value);
      return sourceEvent(textIn(url), textIn(title));
    }
    case 'source-url':
      return sourceEvent(textIn(value['url']), textIn(value['title']));
    case 'finish': {
      const usage = fieldsOf(value['totalUsage'] ?? value['usage']);
      const counted = usageEvent(
        usage['inputTokens'] ?? usage['promptTokens'],
        usage['outputTokens'] ?? usage['completionTokens'],
      );
      if (value['finishReason'] !== 'error') return [...counted, ...endEvent(value['finishReason'])];
      return [...counted, { failure: new Error('the model ended its answer with an error') }];
    }
    case 'abort':
      return [{ failure: new Error("the model's stream was aborted") }];
    case 'error':
      // Without either it is an event of another kind of stream.
      if (!('error' in value) && !('errorText' in value)) return undefined;
      return [{ failure: value['error'] ?? new Error(textIn(value['errorText'])) }];
    default:
      return SILENT.has(type) || type.startsWith('data-') ? [] : undefined;
  }
}
