import { Refusal } from "../answer.ts";

/** A program of the machine's own list: only the list has the command, never a request. */
export interface ListedProgram {
  readonly name: string;
  /** The program and its arguments; no shell reads them. */
  readonly command: readonly string[];
  /** WM_CLASS or title that identifies the program's windows. Undefined: the process that the driver started does. */
  readonly window: string | undefined;
}

/** @throws {Refusal} 404 with the names that there are. */
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
