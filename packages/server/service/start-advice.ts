import { type Config, isLoopbackName } from './config.ts';

/** True where others than the users of this machine can reach the service. */
const isPublic = ({ host, publicUrl }: Config): boolean =>
  !isLoopbackName(publicUrl === null ? host : publicUrl.hostname);

/** Settings that the log recommends at the start, each with its reason (CONFIG-22). */
export function startAdvice(config: Config): { recommended: string; reason: string }[] {
  if (config.directory === 'open' && config.signUp === 'open' && isPublic(config))
    return [
      {
        recommended: 'DIRECTORY=shared',
        reason: 'anybody can sign up, and with DIRECTORY=open every account can list all usernames',
      },
    ];
  return [];
}
