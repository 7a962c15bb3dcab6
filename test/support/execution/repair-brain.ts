import type { Action } from "../../../shared/domain/action/action.ts";
import { byLooking, type Decide, replyWith, wordsOf } from "./fake-models.ts";

/** Tools that only bring the next screen. */
const isInTheWay = (target: string) => /Later|of the dialog|the icon Orders/.test(target);

/**
 * Looks at the picture for what the task needs next: what is in the way of the recorded step, or the step itself, is
 * done; that anything else is next says that the step is done or not needed.
 */
export const byRepairing: Decide = async (request, nth) => {
  const said = wordsOf(request.turns);
  const [, json = ""] = /The next step, as it was recorded: (\{.*\})\n/.exec(said) ?? [];
  const reply = await byLooking(request, nth);
  if (json === "" || reply.kind !== "replied") return reply;
  const step = JSON.parse(json) as Action;
  const decision = reply.calls[0]?.decision;
  const [action] = decision?.kind === "actions" ? decision.actions : [];
  if (action?.type === "wait" || isInTheWay(action?.target ?? "")) return reply;
  return action?.type === step.type && action.target === step.target
    ? reply
    : replyWith([{ type: "finish" }]);
};
