import { hash } from 'node:crypto';
import { canonicalArguments, losesNumbers } from '../../rules/call-arguments.ts';
import { refusedCalls } from '../../rules/call-results.ts';
import { callBinding, type KeyRing } from '../../secrets/seal.ts';
import type { OfferedTool } from '../../tools/outcomes.ts';
import { hostOf } from '../../tools/server-views.ts';
import type { ReplyWriter } from '../reply-writer.ts';
import type { StoredCall } from './step-units.ts';
import { termsOf } from './tool-port.ts';
import type { TurnCall } from './turn-calls.ts';

/** A call as the model wrote it. */
export interface WrittenCall {
  id: string;
  name: string;
  arguments: string;
  isTooLong?: true;
}

interface Read {
  /** Of the call, as text. */
  id: string;
  step: number;
  offered: readonly OfferedTool[];
  writer: ReplyWriter;
  keys: KeyRing;
}

/** A call of the model as it is stored and kept: of a tool that is not offered, or without arguments, it has failed (CALL-5). */
export function readCall(
  written: WrittenCall,
  { id, step, offered, writer, keys }: Read,
): { call: TurnCall; stored: StoredCall } {
  const tool = offered.find(({ modelName }) => modelName === written.name);
  const text = written.isTooLong ? undefined : canonicalArguments(written.arguments);
  const refused = refusalOf(written, tool, text);
  const args = text ?? '{}';
  const state = refused === undefined ? 'asked' : 'failed';
  const name = tool?.tool ?? written.name;
  const title = tool?.title ?? null;
  const status = state === 'failed' ? state : 'pending';
  const part = writer.call({ name, title, status, call_id: id });
  const common = {
    id,
    modelCall: written.id,
    part,
    server: tool?.server.name ?? '',
    tool: name,
    identity: tool?.server.identity ?? 'none',
    writes: tool?.writes ?? false,
    isOpenWorld: tool?.isOpenWorld ?? false,
    terms: tool ? termsOf(tool) : '',
  } as const;
  return {
    call: {
      ...common,
      key: 0,
      step,
      arguments: args,
      state,
      hasBegun: false,
      result: refused ?? null,
      inputState: null,
      durationMs: null,
      isShared: false,
    },
    stored: {
      ...common,
      host: tool && tool.server.url !== '' ? hostOf(tool.server.url) : '',
      title,
      arguments: keys.seal(args, callBinding(id, 'arguments')),
      argumentsHash: hash('sha256', args),
      ...(refused !== undefined && { refused: keys.seal(refused, callBinding(id, 'result')) }),
      approval: tool?.server.approval ?? 'never',
      needsLogin: tool?.needsLogin ?? false,
    },
  };
}

/** Why a call is not sent; undefined if it may be. */
function refusalOf(
  written: WrittenCall,
  tool: OfferedTool | undefined,
  canonical: string | undefined,
): string | undefined {
  if (!tool) return refusedCalls.unknownTool(written.name);
  if (canonical === undefined) return refusedCalls.noObject;
  return losesNumbers(written.arguments) ? refusedCalls.numbers : undefined;
}
