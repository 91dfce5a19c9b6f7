import type { MessageFile } from '../../rules/context-files.ts';
import type { ThinkingEffort } from '../../rules/run-config.ts';
import { type AnthropicMessage, beganWithThoughts, containerIn, withSteps } from './anthropic-steps.ts';
import { Encoded } from './json-bytes.ts';
import type { ProviderRequest, ToolDefinition } from './provider.ts';
import { sentTool } from './tool-schemas.ts';
import { type VendorTurn, vendorTurns } from './vendor-messages.ts';

const defaultMaxTokens = 4096;

/** In the version that all models have. Each search is billed, so an answer has few *(our choice)*. */
const webSearchTool = { type: 'web_search_20250305', name: 'web_search', max_uses: 5 };

/** The body of a request. `from`: the server and model that it goes to. */
export function anthropicBody(request: ProviderRequest, from: string): object {
  const { tools = [], steps = [] } = request;
  const maxTokens = request.maxOutputTokens ?? defaultMaxTokens;
  // The name of a tool is unique.
  const isSearched = request.webSearch && !tools.some(({ name }) => name === webSearchTool.name);
  const offered = [...tools.map(toolOf), ...(isSearched ? [webSearchTool] : [])];
  const container = containerIn(steps);
  return {
    model: request.model,
    max_tokens: maxTokens,
    stream: true,
    ...(request.system ? { system: request.system.toWellFormed() } : {}),
    ...(request.temperature === undefined || request.thinking ? {} : { temperature: request.temperature }),
    ...thinkingOf(request, maxTokens, from),
    ...(offered.length > 0 && { tools: offered }),
    ...(container !== '' && { container }),
    messages: withSteps(vendorTurns(request.messages).map(messageOf), steps, from),
  };
}

function toolOf(tool: ToolDefinition): object {
  const { schema, ...named } = sentTool(tool);
  return { ...named, input_schema: schema };
}

/** The least budget that the API takes. */
const leastBudget = 1_024;
/** The share of `max_tokens` that may be thoughts, which count towards it. */
const budgetShares: Record<ThinkingEffort, number> = { low: 0.25, medium: 0.5, high: 0.75 };

/** How the model is asked to think (PART-20). Without `display` newer models think, but show nothing of it. */
function thinkingOf(
  { thinking, thinksInBudget, steps = [] }: ProviderRequest,
  maxTokens: number,
  from: string,
): object {
  if (thinking === undefined) return {};
  if (!thinksInBudget)
    return { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: thinking } };
  if (!beganWithThoughts(steps, from)) return {};
  const budget_tokens = Math.max(leastBudget, Math.floor(budgetShares[thinking] * maxTokens));
  return { thinking: { type: 'enabled', budget_tokens } };
}

/** One text block per message of a turn, so that no message can pass for another user's (PROVIDER-17). */
function messageOf({ role, parts }: VendorTurn): AnthropicMessage {
  const blocks = parts.flatMap(({ text, files = [] }) => [{ type: 'text', text }, ...files.map(blockOf)]);
  const [first, ...others] = parts;
  return { role, content: others.length === 0 && first && !first.files ? first.text : blocks };
}

/** An image or a PDF (PROVIDER-18). */
function blockOf({ type, mimeType, name, data }: MessageFile): object {
  const source = { type: 'base64', media_type: mimeType, data: new Encoded('', data) };
  return { type, source, ...(type === 'document' && name !== '' && { title: name }) };
}
