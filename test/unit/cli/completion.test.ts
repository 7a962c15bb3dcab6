import { describe, expect, it } from "vitest";
import { runLine } from "../../support/cli/run-line.ts";

const id = "01890a5d-ac96-774b-bcce-b302099a8057";
const page = (...items: object[]) => Response.json({ items, total: items.length, skip: 0, limit: 50 });

async function completed(...words: string[]) {
  const { shown, code, errors, sent } = await runLine(["__complete", ...words], {
    answer: () => page({ id, name: "Front\u001b desk" }, { id: "$(reboot)", name: "b" }),
  });
  expect([code, errors]).toEqual([0, ""]);
  return { found: shown.split("\n").slice(0, -1), sent: sent.map(({ url }) => url) };
}

describe("completion", () => {
  it("has nouns, and commands without one", async () => {
    expect((await completed("m")).found.map((line) => line.split("\t")[0])).toEqual([
      "mcp",
      "machines",
      "models",
    ]);
    expect((await completed("log")).found.map((line) => line.split("\t")[0])).toEqual([
      "login",
      "logout",
      "logs",
    ]);
  });

  it("has the verbs of a noun, with what they do", async () => {
    expect((await completed("machines", "re")).found).toEqual([
      "reset-secret\tLets the next driver in without the machine's own secret",
      "read-file\tReads a file of the desktop",
    ]);
  });

  it("has options, and the words that an option takes", async () => {
    expect((await completed("runs", "list", "--st")).found.map((line) => line.split("\t")[0])).toEqual([
      "--status",
    ]);
    expect((await completed("runs", "list", "--status", "s")).found).toEqual(["scheduling\t", "success\t"]);
    expect((await completed("completion", "")).found).toEqual(["bash\t", "zsh\t", "fish\t"]);
  });

  it("asks the service for ids, which are words of no shell", async () => {
    const { found, sent } = await completed("machines", "get", "");
    expect(found).toEqual([`${id}\tFront\\u{1b} desk`]);
    expect(sent).toEqual(["https://api.example.com/v1/machines?limit=50"]);
    expect((await completed("runs", "create", "--workflow-id", "0")).sent).toEqual([
      "https://api.example.com/v1/workflows?limit=50",
    ]);
    expect((await completed("machines", "get", id, "")).sent).toEqual([]);
  });

  it("says nothing where the service does not respond", async () => {
    const { code, shown, errors } = await runLine(["__complete", "runs", "get", ""], {
      answer: () => {
        throw new TypeError("fetch failed");
      },
    });
    expect([code, shown, errors]).toEqual([0, "", ""]);
  });

  it.each(["bash", "zsh", "fish"])("has a script for %s that asks for the words", async (shell) => {
    expect((await runLine(["completion", shell])).shown).toContain("das __complete");
  });
});
