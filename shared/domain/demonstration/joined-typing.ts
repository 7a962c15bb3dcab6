import { placeholdersIn } from "../../vocabulary/placeholders.ts";
import type { RunStep } from "../run-step/run-step.ts";

/** A person types in pieces, which become one element: looks between them do not part them, names of values do. */
export function joinedTyping(steps: readonly RunStep[]): readonly RunStep[] {
  const joined: RunStep[] = [];
  let looks: RunStep[] = [];
  for (const step of steps) {
    if (step.action.type === "screenshot") {
      looks.push(step);
      continue;
    }
    const last = joined.at(-1);
    const text = last && joinedText(last, step);
    if (last !== undefined && text !== undefined) {
      joined[joined.length - 1] = { ...step, action: { ...last.action, text }, startedAt: last.startedAt };
    } else {
      joined.push(...looks, step);
    }
    looks = [];
  }
  return [...joined, ...looks];
}

/** The bound is that of one `type`. */
const charactersMax = 5_000;

function joinedText(last: RunStep, step: RunStep): string | undefined {
  const [before, after] = [bareText(last), bareText(step)];
  if (before === undefined || after === undefined) return undefined;
  return before.length + after.length <= charactersMax ? before + after : undefined;
}

function bareText({ status, action: { type, text } }: RunStep): string | undefined {
  const isTyped = status === "done" && type === "type" && typeof text === "string";
  return isTyped && placeholdersIn(text).length === 0 ? text : undefined;
}
