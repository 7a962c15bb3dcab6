import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import * as z from "zod";
import { ProgramName, programsMax } from "../../../shared/contract/fields/program-name.ts";
import { UsageError } from "../driver-arguments.ts";
import { readGuardedFile } from "../private-file.ts";
import type { ListedProgram } from "./listed-program.ts";

const argumentsMax = 64;

const Argument = z.string().refine((text) => !text.includes("\0"), "a null character is not taken here");
const Entry = z.strictObject({
  command: z.tuple([Argument.min(1)], Argument).refine(({ length }) => length <= argumentsMax, {
    error: `has at most ${argumentsMax} parts`,
  }),
  window: z.string().min(1).max(255).optional(),
});

/** A local server knows its own commands. */
const NamedEntry = z.looseObject({});

/** @throws {UsageError} when others may change the file, it is malformed, or a program is missing. */
export async function readPrograms(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly ListedProgram[]> {
  const entries = await readEntries(file, Entry);
  const programs = Object.entries(entries).map(([name, { command, window }]) => ({ name, command, window }));
  for (const { name, command } of programs) {
    const [program] = command;
    if (await isProgram(program, env.PATH ?? "")) continue;
    throw new UsageError(`the programs file ${file}: ${name}: there is no program ${program}`);
  }
  return programs;
}

export async function readProgramNames(file: string): Promise<readonly string[]> {
  return Object.keys(await readEntries(file, NamedEntry));
}

async function readEntries<Each extends z.ZodType>(
  file: string,
  entry: Each,
): Promise<Readonly<Record<string, z.output<Each>>>> {
  const wrong = (why: string) => new UsageError(`the programs file ${file}${why}`);
  const text = await readGuardedFile(file, "programs file").catch((error: unknown) => {
    throw error instanceof UsageError ? error : wrong(" cannot be read");
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw wrong(" holds no JSON");
  }
  const parsed = z.record(ProgramName, entry).safeParse(json);
  if (!parsed.success) throw wrong(`: ${sentenceOf(parsed.error)}`);
  const count = Object.keys(parsed.data).length;
  if (count > programsMax) throw wrong(`: it has ${count} programs, and may have ${programsMax}`);
  return parsed.data;
}

function sentenceOf({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.map(String) ?? [];
  if (issue?.code === "invalid_key") {
    return `${JSON.stringify(path.at(-1))} is no name of a program: 1 to 64 letters, digits, blanks and ._+-, a letter or digit first`;
  }
  const place = path.length === 0 ? "" : `${path.join(".")}: `;
  return `${place}${issue?.message ?? "is wrong"}`;
}

async function isProgram(program: string, searched: string): Promise<boolean> {
  const places = program.includes("/")
    ? [program]
    : searched.split(delimiter).map((folder) => join(folder, program));
  const found = await Promise.all(
    places.map((place) =>
      access(place, constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
