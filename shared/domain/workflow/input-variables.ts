/** `{variable}` or `{$secret}`: a name of letters, digits, `_`, `-` and `.` that begins with a letter or `_`. */
const variable = /\{\$?[\p{L}_][\p{L}\p{N}_.-]*\}/u;

/** Whether a prompt has variables that a run must provide. */
export function namesInputVariables(prompt: string): boolean {
  return variable.test(prompt);
}
