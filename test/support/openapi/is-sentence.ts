/** Words that begin what only goes on from a name. */
const fragment =
  /^(As|At|By|Default|For|From|How|In|Null|Of|On|Their|Those|To|Under|Until|What|When|Where|Which|Who|Whose|Why|With)\b/;

/** Whether a description can be read without the name above it, as far as its form shows. */
export function isSentence(text: unknown): boolean {
  return typeof text === "string" && /^[A-Z`"]\S* .*\.$/s.test(text) && !fragment.test(text);
}
