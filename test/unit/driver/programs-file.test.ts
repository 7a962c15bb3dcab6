import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UsageError } from "../../../infra/driver/driver-arguments.ts";
import { readProgramNames, readPrograms } from "../../../infra/driver/programs/programs-file.ts";

describe("the programs file", () => {
  let folder: string;
  let count = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "programs-file-"));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const fileWith = async (content: unknown, mode = 0o644) => {
    count += 1;
    const file = join(folder, `${count}.json`);
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
    await chmod(file, mode);
    return file;
  };
  const env = { PATH: "/nowhere:/bin:/usr/bin" };
  const problemOf = async (content: unknown, mode?: number) => {
    const error = await readPrograms(await fileWith(content, mode), env).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    return (error as UsageError).message;
  };
  const sh = { command: ["sh"] };

  it("names programs with their arguments, and what their windows are known by", async () => {
    const file = await fileWith({
      Orders: { command: ["/bin/sh", "-c", "exec orders; $(id)"], window: "Orders" },
      "Büro 4.1": sh,
    });
    expect(await readPrograms(file, env)).toEqual([
      { name: "Orders", command: ["/bin/sh", "-c", "exec orders; $(id)"], window: "Orders" },
      { name: "Büro 4.1", command: ["sh"], window: undefined },
    ]);
    expect(await readProgramNames(file)).toEqual(["Orders", "Büro 4.1"]);
  });

  it.each<[string, unknown, string]>([
    ["is no JSON", "{", "holds no JSON"],
    ["is a list", [sh], "expected record"],
    [
      "has a command that a shell would have to read",
      { Orders: { command: "sh -c id" } },
      "Orders.command: ",
    ],
    ["has no command", { Orders: {} }, "Orders.command: "],
    ["has an empty command", { Orders: { command: [] } }, "Orders.command"],
    ["has a null character", { Orders: { command: ["sh", "a\0b"] } }, "a null character"],
    ["has 65 arguments", { Orders: { command: Array(65).fill("sh") } }, "at most 64 parts"],
    ["has a field that is not known", { Orders: { ...sh, shell: true } }, "Orders: "],
    ["has a name with a slash", { "a/b": sh }, '"a/b" is no name of a program'],
    ["has a name that begins with a blank", { " a": sh }, '" a" is no name of a program'],
    ["has a name of 65 letters", { ["a".repeat(65)]: sh }, "is no name of a program"],
    ["names a program that is not there", { Orders: { command: ["/nowhere/sh"] } }, "no program /nowhere/sh"],
    ["names a program that PATH has not", { Orders: { command: ["no-such-one"] } }, "no program no-such-one"],
    [
      "has 51 programs",
      Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`P${at}`, sh])),
      "it has 51 programs, and may have 50",
    ],
  ])("is refused when it %s", async (_, content, sentence) => {
    expect(await problemOf(content)).toContain(sentence);
  });

  it.each([0o666, 0o664, 0o646])("is refused when others may change it: %o", async (mode) => {
    expect(await problemOf({ Orders: sh }, mode)).toContain("may be changed by other users: chmod go-w it");
  });

  it("is refused when it is not there", async () => {
    const error = await readPrograms(join(folder, "absent"), env).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toContain("cannot be read");
  });
});
