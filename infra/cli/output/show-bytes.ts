import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { CommandOption, Given } from "../program/command.ts";
import type { Context } from "../program/context.ts";
import { UsageError } from "../program/failures.ts";

export const outputOption: CommandOption = {
  flags: "-o, --output <file>",
  text: "The file to write; - is standard output.",
};

/** A terminal shows no bytes: there a file is needed. */
export async function showBytes(
  { terminal, folder }: Pick<Context, "terminal" | "folder">,
  bytes: Uint8Array,
  { options }: Pick<Given, "options">,
): Promise<void> {
  const { output } = options;
  if (output === undefined && terminal.columns !== undefined && !isText(bytes)) {
    throw new UsageError(
      "the response is no text: --output FILE says where to write it, or send it through a pipe",
    );
  }
  if (output === undefined || output === "-") return terminal.outBytes(bytes);
  await writeFile(resolve(folder, String(output)), bytes);
}

function isText(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, 4_096).some((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 13);
}
