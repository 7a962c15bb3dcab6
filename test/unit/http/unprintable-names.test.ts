import { expect, it } from "vitest";
import { say } from "../../../infra/operator/run-program.ts";
import { CreateApiKeyBody } from "../../../shared/contract/api-key.ts";
import { CreateMachineBody } from "../../../shared/contract/machine.ts";
import { CreateModelConfigurationBody } from "../../../shared/contract/model-configuration.ts";
import { CreatePoolBody } from "../../../shared/contract/pool.ts";
import { CreateTrajectoryBody } from "../../../shared/contract/trajectory/trajectory.ts";
import { HelloMessage } from "../../../shared/contract/tunnel.ts";
import { CreateWorkflowBody } from "../../../shared/contract/workflow.ts";
import { CreateTagGroupBody } from "../../../shared/contract/workflow-tag.ts";

const hostile = ["\u0000", "\u001b[2J", "a\nb", "\u007f", "\u009b2J", "\u2028", "\u202egnp.exe", "\u2066a"];

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
