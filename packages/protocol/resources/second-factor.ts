import { z } from 'zod';

/** How a person proves who they are, beside the password. */
export const SecondFactor = z.object({
  on: z.boolean().describe('whether signIn asks for a code'),
  since: z.string().optional().describe('when it was turned on'),
  recovery_codes_left: z.int().describe('how many recovery codes have not been used'),
  required: z.boolean().describe('whether the service requires one of the caller'),
});
export type SecondFactor = z.infer<typeof SecondFactor>;
