import { listOf, named } from './left-out-files.ts';
import type { Notice } from './reply-parts.ts';

/** The notice about servers whose tools a turn lacks, and why (TOOL-8); undefined without any. */
export function faultyServersNotice(faults: readonly { server: string; why: string }[]): Notice | undefined {
  if (faults.length === 0) return undefined;
  return { text: `Not all tools could be used: ${faults.map(({ server, why }) => `${server} (${why})`).join(', ')}.` };
}

/** The notice about tools that the model does not take: these, or all (PROVIDER-34). */
export function untooledNotice(names?: readonly string[]): Notice {
  if (!names)
    return {
      text: 'This model can’t use tools, so it answered without them. Choose another model.',
      cause: { kind: 'tools_refused' },
    };
  const tools = named(names);
  return {
    text: `This model did not take the tools ${listOf(tools)}, so it answered without them.`,
    cause: { kind: 'tools_refused', ...tools },
  };
}
