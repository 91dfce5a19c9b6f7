-- The messages from which a model has made the title of a separate chat: the title goes with them. Null for other titles.
ALTER TABLE chats ADD COLUMN title_question_key {{int}};
ALTER TABLE chats ADD COLUMN title_reply_key {{int}};
