// Notification settings.
import { z } from 'zod';

const categoryPrefs = z.object({
  enabled: z.boolean().describe('whether there are any'),
  preview: z.boolean().describe('whether a push shows the text of the message'),
  sound: z.boolean().describe('whether a push makes a sound'),
});

export const NotifPrefs = z.object({
  private_chats: categoryPrefs.describe('notifications of direct chats'),
  group_chats: categoryPrefs.describe('notifications of groups'),
  message_preview: z.boolean().describe('whether any push shows the text of the message'),
  badge: z
    .object({
      enabled: z.boolean().describe('whether the icon of the app shows a number'),
      include_groups: z.boolean().describe('whether groups count, too'),
      count_messages: z.boolean().describe('whether it counts unread messages instead of conversations'),
    })
    .describe('the number on the icon of the app'),
});

/** Notification preferences of one device; the service only stores `in_app` for the client. */
export const DeviceNotifPref = z.object({
  enabled: z.boolean().describe('whether this device receives pushes'),
  in_app: z
    .object({
      sounds: z.boolean().describe('whether the app plays sounds'),
      vibrate: z.boolean().describe('whether the device vibrates'),
      preview: z.boolean().describe('whether the app shows the text of new messages'),
    })
    .describe('what the app does while it is open'),
});

export type NotifPrefs = z.output<typeof NotifPrefs>;
export type DeviceNotifPref = z.output<typeof DeviceNotifPref>;
