import type { OperationId } from "../../../../shared/client/call-types.ts";
import { optionsOf } from "../../operations/field-options.ts";
import { bodyOption, operationOf } from "../../operations/operation-command.ts";
import type { CommandOption, Given } from "../../program/command.ts";

export const inputOption: CommandOption = {
  flags: "--input <name=value>",
  text: "An input of the run, by name; name:=JSON for what is no text.",
  isRepeatable: true,
};

export const watchOption: CommandOption = { flags: "--watch", text: "Shows the run until it has ended." };

/** The options that the contract gives an operation's body. @param but names fields that the command takes otherwise. */
export function bodyOptionsOf(id: OperationId, but: readonly string[]): readonly CommandOption[] {
  const { body = [] } = operationOf(id);
  return [...body.filter(({ name }) => !but.includes(name)).flatMap(optionsOf), bodyOption];
}

/** What was given, with `--input` as the contract's `--input-values`. */
export function withInputs(given: Given, more: Given["options"] = {}): Given {
  const { input, inputValues } = given.options;
  const inputs = [inputValues, input].flat().filter((each) => each !== undefined);
  return {
    words: given.words,
    options: { ...given.options, ...more, ...(inputs.length === 0 ? {} : { inputValues: inputs }) },
  };
}
