import { expect, it, vi } from "vitest";
import * as z from "zod";
import { runProgram, say } from "../../../infra/operator/run-program.ts";
import { CreateApiKeyBody } from "../../../shared/contract/api-key.ts";
import { CreateMachineBody } from "../../../shared/contract/machine.ts";
import { CreateModelConfigurationBody } from "../../../shared/contract/model-configuration.ts";
import { allOperations } from "../../../shared/contract/operations/all-operations.ts";
import { CreatePoolBody } from "../../../shared/contract/pool.ts";
import { CreateTrajectoryBody } from "../../../shared/contract/trajectory/trajectory.ts";
import { HelloMessage } from "../../../shared/contract/tunnel.ts";
import { CreateWorkflowBody } from "../../../shared/contract/workflow.ts";
import { CreateTagGroupBody } from "../../../shared/contract/workflow-tag.ts";

const hostile = [
  ...["\u0000", "\u001b[2J", "a\nb", "\u007f", "\u009b2J", "\u2028"],
  ...["\u202egnp.exe", "\u2066a", "\u200ea", "\u200f1 - 2", "\u061ca"],
];

it.each([
  ["a key", CreateApiKeyBody],
  ["a machine", CreateMachineBody],
  ["a model configuration", CreateModelConfigurationBody],
  ["a pool", CreatePoolBody],
  ["a trajectory", CreateTrajectoryBody],
  ["a workflow", CreateWorkflowBody],
  ["a group of tags", CreateTagGroupBody],
])("the name of %s holds no control characters", (_, body) => {
  const problemOf = (name: string) =>
    body.safeParse({ name }).error?.issues.some(({ path }) => path[0] === "name") ?? false;
  expect(hostile.filter((text) => !problemOf(`x${text}`))).toEqual([]);
  expect(["Empfang 1, 中文 ✅ 🧾", "שלום", "a\u200db"].filter(problemOf)).toEqual([]);
});

type Schema = Readonly<Record<string, unknown>>;

/** The texts in a body's schema under names that end like those of things or their places, with the patterns that they have. */
function namesIn(schema: unknown, name = ""): readonly (readonly [string, unknown])[] {
  if (Array.isArray(schema)) return schema.flatMap((each) => namesIn(each, name));
  if (schema === null || typeof schema !== "object") return [];
  const {
    properties = {},
    items,
    anyOf,
    oneOf,
    type,
    pattern,
  } = schema as Schema & {
    readonly properties?: Schema;
  };
  const own =
    type === "string" && /(name|label|title|target_path|url)$/.test(name) ? ([[name, pattern]] as const) : [];
  const inner = Object.entries(properties).flatMap(([each, of]) => namesIn(of, each));
  return [...own, ...inner, ...[items, anyOf, oneOf].flatMap((each) => namesIn(each, name))];
}

it("no name in any operation's body holds one", () => {
  const bodies = allOperations.flatMap((each) => ("body" in each ? [each.body] : []));
  const names = bodies.flatMap((body) =>
    namesIn(z.toJSONSchema(body, { io: "input", unrepresentable: "any", reused: "inline" })),
  );
  const open = names.filter(
    ([, pattern]) =>
      typeof pattern !== "string" ||
      hostile.some((text) =>
        ["x", "https://x/"].some((start) => new RegExp(pattern, "u").test(start + text)),
      ),
  );
  expect(names.length).toBeGreaterThan(20);
  expect(open).toEqual([]);
});

it("a driver is let in with any name, and shown without control characters", () => {
  const { shape } = HelloMessage;
  expect(shape.hostname.parse("\u001b[2Jdesk")).toBe("\ufffd[2Jdesk");
});

it("an operator's program prints no name that steers the terminal", () => {
  const written: string[] = [];
  const to = { write: (text: string | Uint8Array) => written.push(String(text)) > 0 };
  say("key\t\u001b[2J\u202eevil", to);
  expect(written).toEqual(["key\t\\u{1b}[2J\\u{202e}evil\n"]);
});

it("nor does its error", async () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const run = async () => {
    throw new Error("no machine \u001b[2J\u202eevil");
  };
  try {
    await runProgram({ usage: "", options: {}, takesWords: true, needsArguments: false, run });
    expect(write.mock.calls).toEqual([["no machine \\u{1b}[2J\\u{202e}evil\n"]]);
  } finally {
    process.exitCode = undefined;
    write.mockRestore();
  }
});
