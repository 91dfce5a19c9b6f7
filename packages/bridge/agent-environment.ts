/** What programs need to find themselves, and nothing that could be a secret. */
const PASSED =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|TMPDIR|TEMP|TMP|XDG_[A-Z_]+|SystemRoot|ComSpec|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|ProgramFiles)$/i;

/** The environment of the agent: a small one, and the variables that were named. Never the bridge's token (BRIDGE-2). */
export function agentEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Record<string, string> {
  const wanted = new Set(names);
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && entry[0] !== 'PARLEY_TOKEN' && (PASSED.test(entry[0]) || wanted.has(entry[0])),
    ),
  );
}
