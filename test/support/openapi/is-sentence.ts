const fragment =
  /^(As|At|By|Default|For|From|How|In|Null|Of|On|Their|Those|To|Under|Until|What|When|Where|Which|Who|Whose|Why|With)\b/;

export function isSentence(text: unknown): boolean {
  return typeof text === "string" && /^[A-Z`"]\S* .*\.$/s.test(text) && !fragment.test(text);
}
