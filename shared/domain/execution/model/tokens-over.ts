import type { ModelCursor } from "../execution.ts";
import type { Invocation } from "../step/invocation.ts";

/** Why no model may be asked any more, in a sentence; undefined below the run's max_tokens. */
export function tokensOver({ plan }: Invocation, { tokens }: ModelCursor): string | undefined {
  const maxTokens = plan.model?.maxTokens ?? null;
  const used = tokens.reduce((sum, [input, output]) => sum + input + output, 0);
  return maxTokens === null || used < maxTokens
    ? undefined
    : `the run's models took ${used} tokens, of max_tokens ${maxTokens}`;
}
