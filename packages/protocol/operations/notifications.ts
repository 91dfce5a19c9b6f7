import { z } from 'zod';
import { label, optional } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { DeviceNotifPref, NotifPrefs } from '../resources.ts';

const token = () => label(limits.pushTokenBytes);

export const notificationOperations = {
  getNotificationPrefs: operation({
    summary: "The account's notification preferences, and those of the current session's device.",
    input: z.object({}),
    result: z.object({
      account: NotifPrefs,
      device: DeviceNotifPref,
      vapid_public_key: z.string().optional().meta({ description: 'where the service sends Web Push' }),
    }),
    errors: [],
  }),
  setNotificationPrefs: operation({
    summary: "Replaces the account's notification preferences; a part of them is refused.",
    input: NotifPrefs,
    result: NotifPrefs,
    errors: [],
  }),
  setDeviceNotificationPrefs: operation({
    summary: "Replaces the preferences of the current session's device; a token without a session is refused.",
    input: DeviceNotifPref,
    result: DeviceNotifPref,
    errors: [],
  }),
  registerPushToken: operation({
    summary: "Registers an endpoint for the caller's pushes: an iOS device token, or a browser's subscription as JSON.",
    input: z.object({ token: token(), platform: optional(z.enum(['ios', 'web'])) }),
    result: null,
    errors: [],
  }),
  unregisterPushToken: operation({
    summary: "Forgets one of the caller's push endpoints; one that is not registered is no error.",
    input: z.object({ token: token() }),
    result: null,
    errors: [],
  }),
} as const;
