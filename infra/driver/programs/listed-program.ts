import { Refusal } from "../answer.ts";

/** A request never contains the command, only the machine's own list. */
export interface ListedProgram {
  readonly name: string;
  readonly command: readonly string[];
  /** Without a WM_CLASS or title, the process that the driver started identifies the program's windows. */
  readonly window: string | undefined;
}

/** @throws {Refusal} 404 with the listed names. */
export function requireListed<Listed extends Pick<ListedProgram, "name">>(
  programs: readonly Listed[],
  name: string,
): Listed {
  const found = programs.find((program) => program.name === name);
  if (found !== undefined) return found;
  const names = programs.map((program) => program.name).join(", ");
  const known = programs.length === 0 ? "it has none" : `it has ${names}`;
  throw new Refusal(404, "unknown_program", `this machine's list has no program of that name: ${known}`);
}
