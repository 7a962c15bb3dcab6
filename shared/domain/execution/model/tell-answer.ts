import type { KeptPicture, KeptResult, Told } from "../../conversation/conversation.ts";
import { modelWords } from "../../model/model-words.ts";
import type { RunStep } from "../../run-step/run-step.ts";

/** The note with which the run was resumed is the result of the model's question. Undefined if the model has not asked. */
export function asAnswered(
  told: readonly Told[],
  resumption: RunStep,
  picture: KeptPicture,
): readonly Told[] | undefined {
  const last = told.at(-1);
  if (last?.role !== "results" || !last.results.some(isQuestion)) return undefined;
  const words = wordsOf(resumption);
  const end = last.results.length - 1;
  const results = last.results.map((each, at) => ({
    ...each,
    ...(isQuestion(each) && { text: words }),
    ...(at === end && { picture }),
  }));
  return told.with(-1, { ...last, results });
}

/** A question that a hold prevented is an error. */
function isQuestion({ toolName, isError }: KeptResult): boolean {
  return toolName === "ask_person" && !isError;
}

function wordsOf({ text, action }: RunStep): string {
  if (text !== null) return modelWords.answered(text);
  return action.is_expired === true ? modelWords.nobodyAnswered : modelWords.notAnswered;
}
