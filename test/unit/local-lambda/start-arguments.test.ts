import { expect, it } from "vitest";
import { parseStartArguments } from "../../../infra/local/start-arguments.ts";

it("takes port 8080, memory, the demo desk and silence by default", () => {
  expect(parseStartArguments([])).toEqual({
    port: 8080,
    dataDir: undefined,
    desktop: "simulated",
    verbose: false,
  });
});

it("takes what is given", () => {
  expect(parseStartArguments(["--port", "0", "--data", "d", "--desktop", "x11", "--verbose"])).toEqual({
    port: 0,
    dataDir: "d",
    desktop: "x11",
    verbose: true,
  });
});

it("knows when help is asked for", () => {
  expect(parseStartArguments(["--help"])).toBeUndefined();
});

it.each([
  [["--prot", "1"], /^Unknown option '--prot'; --help lists what there is$/],
  [["8081"], /^Unexpected argument '8081'; options go after two dashes: npm start -- --port 8081$/],
  [["--port", "x"], /^--port takes a number from 0 to 65535, not x$/],
  [["--port", "65536"], /^--port takes a number from 0 to 65535, not 65536$/],
  [["--port"], /argument missing/],
  [["--desktop", "wayland"], /^--desktop takes simulated or x11, not wayland$/],
  [["--data", ""], /^--data takes the name of a folder$/],
])("answers %j with one sentence", (args, sentence) => {
  expect(() => parseStartArguments(args)).toThrow(sentence);
});
