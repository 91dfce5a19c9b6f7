-- The picture of a group: the random name in its address, and its size in bytes.
ALTER TABLE chats ADD COLUMN avatar_name TEXT;
ALTER TABLE chats ADD COLUMN avatar_size {{int}};
CREATE UNIQUE INDEX chats_avatar ON chats (avatar_name) WHERE avatar_name IS NOT NULL;
