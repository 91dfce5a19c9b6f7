import type { Checkpoint } from './checkpoints.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { named } from '../commits/lock-names.ts';
import { internalUnit } from '../commits/unit-locks.ts';
import { checkpointStream } from '../store/turns.ts';
import { noteStreamUsage } from '../store/usage.ts';

/** Stores the text so far of an open reply, and reserves its next revision numbers (STREAM-8). */
export const checkpoint = internalUnit(
  {
    // Serializes the checkpoints of a stream. A late one, also of a former stream of the message, changes nothing.
    locks: ({ input }) => [named(`stream ${input.messageKey}`)],
  },
  async ({ tx }: UnitCall, input: Checkpoint): Promise<void> => {
    const stored = await tx.run(checkpointStream, input.messageKey, input.text, input.revisionReserved, input.parts);
    if (stored === 0 || !input.usage) return;
    const { messageKey, usage, price } = input;
    const { input_tokens, output_tokens } = usage;
    await tx.run(
      noteStreamUsage,
      messageKey,
      input_tokens,
      output_tokens,
      price?.currency ?? null,
      price?.micros ?? null,
    );
  },
);
