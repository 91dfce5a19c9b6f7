import { ByteBudget } from '../core/byte-budget.ts';
import { ServiceClock } from '../core/clock.ts';
import { DiskSpace } from '../core/disk-space.ts';
import { defaultSettings, type Settings } from '../core/settings.ts';
import { FileUrls } from '../files/signatures.ts';
import { sendsWebPushes } from '../push/made-vapid.ts';
import { KeyRing } from '../secrets/seal.ts';
import { calmLogger } from './calm-logger.ts';
import { HeldCallbacks } from './held-callbacks.ts';
import type { ServiceOptions } from './interface.ts';

export type Base = ReturnType<typeof openBase>;

/** What every room uses. A single process uses the machine's clock; nodes share the database's. */
export function openBase({ config, settings: given, ...options }: ServiceOptions) {
  const clock = new ServiceClock(options.clock);
  const logger = calmLogger(options.logger, options.clock);
  const settings: Settings = {
    ...defaultSettings,
    signUp: config.signUp,
    issuers: config.oidc.map(({ id, name }) => ({ id, name })),
    passwords: config.oidc.some(({ only }) => only) ? 'owners' : 'everyone',
    fileBytes: config.maxFileBytes,
    directory: config.directory,
    pushes: sendsWebPushes(config) || config.apns !== null,
    linkPreviews: config.linkPreviews.isPublicAllowed || config.linkPreviews.origins.size > 0,
    fileSearch: config.fileSearch,
    runsCode: config.runsCode,
    storedBytes: config.maxStoredBytes,
    ...given,
  };
  const urls = new FileUrls(config.secretKeys, clock);
  return {
    config,
    settings,
    clock,
    logger,
    random: Math.random,
    keys: new KeyRing(config.secretKeys),
    urls,
    sign: (text: string, accountKey: number): string => urls.sign(text, accountKey),
    answers: new ByteBudget(settings.answerBytes, settings.ownAnswerBytes),
    disk: new DiskSpace(config, logger),
    held: new HeldCallbacks(logger, options.clock),
    /** `isDraining`: the service stops, and refuses new calls. */
    life: { isDraining: false },
  };
}
