import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { numberedName, safeName } from "../../../../infra/cli/files/safe-name.ts";
import { askTerminal } from "../../../../infra/cli/terminal/ask-terminal.ts";
import { readLine } from "../../../../infra/cli/terminal/read-line.ts";

class Input extends EventEmitter {
  readonly calls: string[] = [];
  setEncoding() {
    return this;
  }
  setRawMode(isRaw: boolean) {
    this.calls.push(`raw ${isRaw}`);
    return this;
  }
  resume() {
    this.calls.push("resume");
    return this;
  }
  pause() {
    this.calls.push("pause");
    return this;
  }
}

describe("a line of standard input", () => {
  const signal = new AbortController().signal;

  it("is whole with its line break, in however many parts it comes", async () => {
    const input = new Input();
    const line = readLine(input as never, signal);
    for (const part of ["ye", "s\r\n", "more"]) input.emit("data", part);
    expect(await line).toBe("yes");
    expect([input.calls, input.listenerCount("data")]).toEqual([["resume", "pause"], 0]);
  });

  it("is none when the input ends or nobody waits any more", async () => {
    const ended = new Input();
    const none = readLine(ended as never, signal);
    ended.emit("end");
    expect(await none).toBeUndefined();
    const aborting = new AbortController();
    const aborted = new Input();
    const nobody = readLine(aborted as never, aborting.signal);
    aborting.abort();
    expect([await nobody, aborted.listenerCount("data")]).toEqual([undefined, 0]);
  });
});

describe("a question to the terminal", () => {
  const question = { text: "?", isWhole: (text: string) => text.endsWith("c"), timeoutMs: 5 };

  it("is answered by all parts until it is whole, and leaves the terminal as it was", async () => {
    const input = new Input();
    const written: string[] = [];
    const write = (text: string) => {
      written.push(text);
      for (const part of ["a", "b", "c"]) queueMicrotask(() => input.emit("data", part));
      return true;
    };
    const whole = await askTerminal({ ...question, timeoutMs: 60_000 }, input as never, { write } as never);
    expect([whole, written]).toEqual(["abc", ["?"]]);
    expect(input.calls).toEqual(["raw true", "resume", "pause", "raw false"]);
  });

  it("is what came in time where nothing responds", async () => {
    const input = new Input();
    expect(await askTerminal(question, input as never, { write: () => true } as never)).toBe("");
    expect(input.calls.at(-1)).toBe("raw false");
  });
});

describe("the name of a file that the service names", () => {
  it.each([
    ["report.csv", "report.csv"],
    ["../../etc/passwd", "_.._etc_passwd"],
    ["..\\..\\boot.ini", "_.._boot.ini"],
    ["/etc/passwd", "_etc_passwd"],
    [".bashrc", "bashrc"],
    ["..", "file"],
    ["", "file"],
    ["a\u001b[2Jb\u202egpj", "a_[2Jb_gpj"],
    ["NUL.txt", "_NUL.txt"],
    ["C:\\x.txt", "C__x.txt"],
  ])("%j is %j", (name, safe) => {
    expect(safeName(name)).toBe(safe);
  });

  it("keeps its ending when it is too long, within whole characters", () => {
    const safe = safeName(`${"ü".repeat(300)}.csv`);
    expect([Buffer.byteLength(safe) <= 200, safe.endsWith("ü.csv")]).toEqual([true, true]);
  });

  it("gets its number before the ending", () => {
    expect([numberedName("a.csv", 1), numberedName("a.csv", 2), numberedName("a", 3)]).toEqual([
      "a.csv",
      "a (2).csv",
      "a (3)",
    ]);
  });
});
