import { z } from 'zod';
import { label, optional } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { DeviceNotifPref, NotifPrefs } from '../resources.ts';

const token = () =>
  label(limits.pushTokenBytes).describe("the device token of iOS, or the browser's subscription as JSON");

export const notificationOperations = {
  getNotificationPrefs: operation({
    summary: "The account's notification preferences, and those of the current session's device.",
    policy: { scope: 'read', rate: 'none', guests: true },
    input: z.object({}),
    result: z.object({
      account: NotifPrefs.describe('the preferences for all devices of the account'),
      device: DeviceNotifPref.describe("the preferences of the current session's device"),
      vapid_public_key: z.string().optional().meta({ description: 'present if the service sends Web Push' }),
    }),
    errors: [],
  }),
  setNotificationPrefs: operation({
    summary: "Replaces all of the account's notification preferences; incomplete ones are refused.",
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: NotifPrefs,
    result: NotifPrefs,
    errors: [],
  }),
  setDeviceNotificationPrefs: operation({
    summary: "Replaces the preferences of the current session's device; refused for a token without a session.",
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: DeviceNotifPref,
    result: DeviceNotifPref,
    errors: [],
  }),
  registerPushToken: operation({
    summary: "Registers an endpoint for the caller's pushes: an iOS device token, or a browser's subscription as JSON.",
    policy: { scope: null, rate: 'writes', guests: true },
    input: z.object({
      token: token(),
      platform: optional(z.enum(['ios', 'web'])).describe('what `token` is; `ios` by default'),
      locale: optional(
        z
          .string()
          .max(35)
          .regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/)
          .meta({ description: 'the language of the device as in BCP 47, such as `de` or `pt-BR`' }),
      ),
    }),
    result: null,
    errors: [],
  }),
  unregisterPushToken: operation({
    summary: "Removes one of the caller's push endpoints; an unknown one is not an error.",
    policy: { scope: null, rate: 'writes', guests: true },
    input: z.object({ token: token() }),
    result: null,
    errors: [],
  }),
} as const;
