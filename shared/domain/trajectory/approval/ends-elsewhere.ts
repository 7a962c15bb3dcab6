import type { WarnedTrajectory } from "./approval-subject.ts";

export function endsElsewhere({ subject }: Pick<WarnedTrajectory, "subject">): readonly string[] {
  return subject.endsElsewhere === true && subject.reset.length === 0 ? [endsElsewhereWarning] : [];
}

const endsElsewhereWarning =
  "it ends elsewhere than it begins: the next run will not find its start; add elements that lead back to the first screen, or give it a `reset`";
