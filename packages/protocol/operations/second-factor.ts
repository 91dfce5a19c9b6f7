import { z } from 'zod';
import { label, password, username } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { SecondFactor } from '../resources/second-factor.ts';

const since = 17;
const code = () => label(limits.nameBytes).describe('a code of the app; or a recovery code, which then is used up');
const recoveryCodes = z.object({
  recovery_codes: z
    .array(z.string())
    .describe('secrets, each of which replaces a code of the app once; they are shown only here'),
});

export const secondFactorOperations = {
  getSecondFactor: operation({
    summary: 'Whether the caller signs in with a second factor, and must. People only.',
    policy: { scope: null, rate: 'none', guests: true, withoutFactor: true },
    input: z.object({}),
    result: SecondFactor,
    errors: ['forbidden'],
    since,
  }),
  startSecondFactor: operation({
    summary:
      'Makes a secret for an app that shows codes by the time. It counts from confirmSecondFactor on, within ten minutes; 409 while a second factor is on.',
    policy: { scope: null, rate: 'passwordChecks', guests: true, withoutFactor: true },
    input: z.object({ password: password() }),
    result: z.object({
      secret: z.string().describe('in base32, for typing it into the app'),
      url: z.string().meta({ description: 'the same as an `otpauth:` address, for a QR code' }),
    }),
    errors: ['forbidden', 'conflict'],
    since,
  }),
  confirmSecondFactor: operation({
    summary: 'Turns the second factor on, with the first code of the app.',
    policy: { scope: null, rate: 'passwordChecks', guests: true, withoutFactor: true },
    input: z.object({ code: label(limits.nameBytes).describe('what the app shows') }),
    result: recoveryCodes,
    errors: ['forbidden', 'conflict'],
    since,
  }),
  createRecoveryCodes: operation({
    summary: 'Makes new recovery codes; the former ones end. 409 without a second factor.',
    policy: { scope: null, rate: 'passwordChecks', guests: true },
    input: z.object({ code: code() }),
    result: recoveryCodes,
    errors: ['forbidden', 'conflict'],
    since,
  }),
  removeSecondFactor: operation({
    summary: 'Turns the second factor off. 409 without one, and while the service requires one.',
    policy: { scope: null, rate: 'passwordChecks', guests: true },
    input: z.object({ password: password(), code: code() }),
    result: null,
    errors: ['forbidden', 'conflict'],
    since,
  }),
  resetSecondFactor: operation({
    summary:
      "Turns off the second factor of a person who has lost it, and ends that person's sessions. For admins, of people below them, and for owners.",
    policy: { scope: null, rate: 'endsAccess', role: 'admin' },
    input: z.object({ username: username() }),
    result: null,
    errors: ['forbidden', 'not_found'],
    since,
  }),
} as const;
