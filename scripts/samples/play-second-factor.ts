import { totpCode } from '@parley/server/secrets/totp.ts';
import type { ManualClock } from '@parley/testing';
import type { Recorder } from './recorder.ts';

const STEP_MS = 30_000;

/** A person turns two-step sign-in on and off; `token` is of a session that a password began. */
export async function secondFactor(recorder: Recorder, clock: ManualClock, token: string, password: string) {
  const { secret } = await recorder.call(token, 'startSecondFactor', { password });
  /** Each code counts once, so the next step is waited for. */
  const code = async () => {
    await clock.advance(STEP_MS);
    return totpCode(secret, Math.floor(clock.now() / STEP_MS));
  };
  await recorder.call(token, 'confirmSecondFactor', { code: await code() });
  await recorder.call(token, 'getSecondFactor', {});
  await recorder.refuse('startSecondFactor', { token, request: { password } });
  await recorder.call(token, 'createRecoveryCodes', { code: await code() });
  await recorder.refuse('removeSecondFactor', { token, request: { password, code: '000000' } });
  await recorder.call(token, 'removeSecondFactor', { password, code: await code() });
}
