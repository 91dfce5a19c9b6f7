import { type Config, isLoopbackName } from './config.ts';

/** Whether other machines can reach the service. */
const isPublic = ({ host, publicUrl }: Config): boolean =>
  !isLoopbackName(publicUrl === null ? host : publicUrl.hostname);

/** Settings recommended in the log at the start, each with its reason (CONFIG-22). */
export function startAdvice(config: Config): { recommended: string; reason: string }[] {
  if (config.directory === 'open' && config.signUp === 'open' && isPublic(config))
    return [
      {
        recommended: 'DIRECTORY=shared',
        reason: 'anyone can sign up, and with DIRECTORY=open every account can list all usernames',
      },
    ];
  return [];
}
