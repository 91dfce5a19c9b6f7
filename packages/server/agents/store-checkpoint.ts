import type { Checkpoint } from './checkpoints.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { named } from '../commits/lock-names.ts';
import { internalUnit } from '../commits/unit-locks.ts';
import { checkpointStream } from '../store/turns.ts';
import { noteStreamUsage } from '../store/usage.ts';

/** Stores the text so far of an open reply, and reserves its next revision numbers (STREAM-8). */
export const checkpoint = internalUnit(
  {
    // Serializes the checkpoints of a stream, so that the later text wins.
    locks: ({ input }) => [named(`stream ${input.messageKey}`)],
  },
  async ({ tx }: UnitCall, input: Checkpoint): Promise<void> => {
    await tx.run(checkpointStream, input.messageKey, input.text, input.revisionReserved, input.parts);
    if (!input.usage) return;
    await tx.run(noteStreamUsage, input.messageKey, input.usage.input_tokens, input.usage.output_tokens);
  },
);
