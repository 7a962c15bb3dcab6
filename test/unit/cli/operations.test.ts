import { describe, expect, it } from "vitest";
import { allCommands } from "../../../infra/cli/commands/all-commands.ts";
import { describedOperations } from "../../../infra/cli/operations/described-operations.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";

const commands = allCommands();
const nameOf = ({ noun, verb }: { readonly noun: string; readonly verb: string }) => `${noun} ${verb}`.trim();

describe("the commands of das", () => {
  it("reach every operation of the contract", () => {
    const reached = new Set(commands.flatMap(({ operations = [] }) => operations));
    expect(allOperations.map(({ id }) => id).filter((id) => !reached.has(id))).toEqual([]);
    const known = new Set<string>(allOperations.map(({ id }) => id));
    expect([...reached].filter((id) => !known.has(id))).toEqual([]);
  });

  it("have names of their own, of small letters and hyphens", () => {
    const names = [...describedOperations.map(nameOf)];
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(
      commands.map(nameOf).filter((name) => !/^[a-z]+(-[a-z]+)*( [a-z]+(-[a-z]+)*)?$/.test(name)),
    ).toEqual([]);
  });

  it("have no option twice, nor one of those that every command has", () => {
    const common = ["--profile", "--json", "--jsonl", "--help"];
    const twice = commands.flatMap((command) => {
      const flags = [
        ...common,
        ...(command.options ?? []).map(({ flags }) => flags.match(/--[\w-]+/)?.[0] ?? ""),
      ];
      return flags
        .filter((flag, at) => flags.indexOf(flag) !== at)
        .map((flag) => `${nameOf(command)} ${flag}`);
    });
    expect(twice).toEqual([]);
  });

  it("have an example that begins with their name, and a text for each option shown", () => {
    const bad = commands.filter((command) => !command.examples[0]?.startsWith(`das ${nameOf(command)}`));
    expect(bad.map(nameOf)).toEqual([]);
    const untold = commands.flatMap((command) =>
      (command.options ?? [])
        .filter(({ text, isHidden }) => text === "" && isHidden !== true)
        .map(({ flags }) => `${nameOf(command)} ${flags}`),
    );
    expect(untold).toEqual([]);
  });

  it.each([
    ["listMachines", "machines list"],
    ["shutDownDriver", "machines shutdown"],
    ["scrollMouse", "machines scroll"],
    ["listRunSteps", "runs steps"],
    ["setMachinePools", "machines set-pools"],
    ["verifyTrajectory", "trajectories verify"],
    ["getRunAttachmentDownloadUrl", "attachments download-url"],
    ["rotateWebhookSecret", "webhooks rotate-secret"],
    ["getDatabaseHealth", "health database"],
  ])("call %s `das %s`", (id, name) => {
    expect(describedOperations.filter((each) => each.id === id).map(nameOf)).toEqual([name]);
  });
});
