import type { Action } from "../../../shared/domain/action/action.ts";
import { byLooking, type Decide, replyWith, wordsOf } from "./fake-models.ts";

const isInTheWay = (target: string) => /Later|of the dialog|the icon Orders/.test(target);

/**
 * Decides by the picture what the task needs next. If that removes an obstacle to the recorded step, or is the step
 * itself, it is done; anything else means that the step is done already, or not needed.
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
