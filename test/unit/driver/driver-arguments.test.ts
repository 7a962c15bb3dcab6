import { describe, expect, it } from "vitest";
import { parseDriverArguments, UsageError, usage } from "../../../infra/driver/driver-arguments.ts";

const urlArgs = ["--url", "wss://tunnel.example/stage"];

describe("the driver's command line", () => {
  it("takes the key from the environment, where no list of processes shows it", () => {
    const given = parseDriverArguments(urlArgs, { DRIVER_KEY: "k", DISPLAY: ":3" });
    expect(given).toMatchObject({
      credential: { kind: "key", key: "k" },
      desktop: { kind: "x11", display: ":3" },
      allowShell: true,
      root: undefined,
    });
  });

  it("prefers what is given as an argument", () => {
    const given = parseDriverArguments([...urlArgs, "--key-file", "f", "--no-shell"], {
      DRIVER_KEY: "k",
    });
    expect(given).toMatchObject({
      credential: { kind: "key_file", file: "f" },
      allowShell: false,
    });
  });

  it.each([
    [[], true],
    [["--no-shell"], false],
    [["--allow-shell"], true],
  ])("with %j takes shell commands: %j", (args, allowShell) => {
    expect(parseDriverArguments([...urlArgs, "--key", "k", ...args], {})).toMatchObject({ allowShell });
  });

  it("takes the file that names the programs, for a display and for a local server", () => {
    const given = [...urlArgs, "--key", "k", "--programs", "programs.json"];
    expect(parseDriverArguments(given, { DISPLAY: ":3" })?.desktop).toEqual({
      kind: "x11",
      display: ":3",
      programsFile: "programs.json",
    });
    expect(parseDriverArguments([...given, "--forward", "http://127.0.0.1:1"], {})?.desktop).toMatchObject({
      kind: "forward",
      programsFile: "programs.json",
    });
  });

  it("answers help with undefined, and documents every exit code", () => {
    expect(parseDriverArguments(["--help"], {})).toBeUndefined();
    expect(usage).toMatch(/Exit codes: 0 .* 1 .* 2 .* 3 .*4 .* 5 /s);
  });

  it.each([
    [[], "--url is missing"],
    [["--url", "https://x"], "--url must be an address"],
    [["--url", "ws://tunnel.example/stage"], "--url must start with wss://"],
    [["--url", "wss://user:pass@x/"], "no user and password"],
    [[...urlArgs], "a key is missing"],
    [[...urlArgs, "--key", "a", "--key-file", "b"], "give one of"],
    [[...urlArgs, "--key", "a", "--forward", "http://10.0.0.1:1"], "another machine"],
    [[...urlArgs, "--key", "a", "--allow-shell", "--no-shell"], "give one of"],
    [[...urlArgs, "--key", "a", "--ticket-file", "b"], "give one of"],
    [[...urlArgs, "--key", "a", "--no-shell", "--shell-user", "b"], "runs no shell commands"],
    [[...urlArgs, "--keys", "a"], "--help lists"],
  ])("refuses %j with one sentence", (args, sentence) => {
    expect(() => parseDriverArguments(args, {})).toThrow(UsageError);
    expect(() => parseDriverArguments(args, {})).toThrow(sentence);
  });

  it("does not repeat an argument that may be a part of the key", () => {
    expect(() => parseDriverArguments([...urlArgs, "--key", "half", "other-half"], {})).toThrow(
      /^(?!.*half)/,
    );
  });

  it("lets ws:// lead to this machine, and --forward anywhere when that is said", () => {
    expect(parseDriverArguments(["--url", "ws://127.0.0.1:8080/x", "--key", "a"], {})?.url).toContain("8080");
    const remote = ["--forward", "http://10.0.0.1:1", "--allow-remote-forward"];
    expect(parseDriverArguments([...urlArgs, "--key", "a", ...remote], {})?.desktop.kind).toBe("forward");
  });
});
