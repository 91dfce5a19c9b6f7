// Scheduled messages and reminders.
import cancelReminder from './cancelReminder.ts';
import cancelScheduledMessage from './cancelScheduledMessage.ts';
import editScheduledMessage from './editScheduledMessage.ts';
import getReminders from './getReminders.ts';
import getScheduledMessages from './getScheduledMessages.ts';
import remindMe from './remindMe.ts';
import scheduleMessage from './scheduleMessage.ts';
import sendScheduledMessage from './sendScheduledMessage.ts';

export const scheduledHandlers = {
  cancelReminder,
  cancelScheduledMessage,
  editScheduledMessage,
  getReminders,
  getScheduledMessages,
  remindMe,
  scheduleMessage,
  sendScheduledMessage,
};
