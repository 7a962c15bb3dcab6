import type { WarnedTrajectory } from "./approval-subject.ts";

export function warnOfResetLacks({ subject }: Pick<WarnedTrajectory, "subject">): readonly string[] {
  const { resetLacks = 0 } = subject;
  if (resetLacks === 0) return [];
  const steps = resetLacks === 1 ? "a step" : `${resetLacks} steps`;
  return [
    `its reset lacks ${steps} with which a model reached the first screen: a reset is short, and has none that a model decides or that saves a value; add elements that lead there`,
  ];
}
