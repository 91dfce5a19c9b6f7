export const category = (enabled = true, preview = true, sound = true) => ({ enabled, preview, sound });
/** The default preferences of an account. */
export const allOn = {
  private_chats: category(),
  group_chats: category(),
  message_preview: true,
  badge: { enabled: true, include_groups: true, count_messages: true },
};
