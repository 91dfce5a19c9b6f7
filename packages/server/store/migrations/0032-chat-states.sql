-- What an account keeps about a conversation.
-- pin_order: null if it is not pinned; the greatest is first in the list.
ALTER TABLE participants ADD COLUMN pin_order {{int}};
-- The newest message when the account archived it, 0 if there was none; null if it is not archived.
ALTER TABLE participants ADD COLUMN archived_key {{int}};
ALTER TABLE participants ADD COLUMN is_marked_unread {{int}} NOT NULL DEFAULT 0;
ALTER TABLE participants ADD COLUMN folder_id {{blob}};
-- The newest message when the account cleared it: messages up to this one are hidden from the account.
ALTER TABLE participants ADD COLUMN cleared_key {{int}} NOT NULL DEFAULT 0;
CREATE INDEX participants_pinned ON participants (account_key, pin_order) WHERE pin_order IS NOT NULL;
CREATE INDEX participants_folder ON participants (account_key, folder_id) WHERE folder_id IS NOT NULL;

CREATE TABLE folders (
  account_key {{int}} NOT NULL,
  id {{blob}} NOT NULL,
  name TEXT NOT NULL,
  ordinal {{int}} NOT NULL,
  PRIMARY KEY (account_key, id)
) {{by_key}};
