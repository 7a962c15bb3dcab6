import { unnamedInputs } from "../recorded-inputs.ts";
import type { WarnedTrajectory } from "./approval-subject.ts";

export function warnOfUnnamedInputs({ elements, subject }: WarnedTrajectory): readonly string[] {
  const recorded = {
    original: subject.originalInputValues,
    elements: elements.map(({ element }) => element),
  };
  return unnamedInputs(recorded).map(unnamedInputWarning);
}

function unnamedInputWarning(name: string): string {
  return `no element names the input {${name}} of the recording: something that was recorded may depend on its value, so runs with another one are not replayed (input_not_recorded) and verify nothing; name it in the target of what depends on it, with by: model`;
}
