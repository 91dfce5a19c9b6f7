-- Groups of people, which are mentioned by their name.
CREATE TABLE user_groups (
  key {{key}},
  name TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  created_at {{int}} NOT NULL
);
CREATE TABLE user_group_people (
  group_key {{int}} NOT NULL,
  account_key {{int}} NOT NULL,
  PRIMARY KEY (group_key, account_key)
) {{by_key}};
CREATE INDEX user_group_people_account ON user_group_people (account_key);
