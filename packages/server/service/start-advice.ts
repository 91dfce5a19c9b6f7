import { sendsWebPushes } from '../push/made-vapid.ts';
import { isLoopbackName } from '../rules/loopback.ts';
import type { Config } from './config.ts';

/** Whether other machines can reach the service. */
const isPublic = ({ host, publicUrl }: Config): boolean =>
  !isLoopbackName(publicUrl === null ? host : publicUrl.hostname);

/** Settings recommended in the log at the start, each with its reason (CONFIG-22). */
export function startAdvice(config: Config): { recommended: string; reason: string }[] {
  const advice = [];
  if (config.directory === 'open' && config.signUp === 'open' && isPublic(config))
    advice.push({
      recommended: 'DIRECTORY=shared',
      reason: 'anyone can sign up, and with DIRECTORY=open every account can list all usernames',
    });
  // With only some of the variables the start warns (NOTIF-10).
  if (!sendsWebPushes(config) && config.missingVapid.length === 0)
    advice.push({
      recommended: 'WEB_PUSH=made',
      reason: 'no VAPID_ variable is set, so browsers get no notifications while the app is closed',
    });
  return advice;
}
