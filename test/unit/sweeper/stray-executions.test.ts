import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { checkExecutions, executionsPerRun } from "../../../shared/domain/maintenance/check-executions.ts";
import { LambdaExecutions } from "../../../shared/execution/lambda-executions.ts";
import { executionDue, executionRow } from "../../../shared/storage/execution/execution-item.ts";
import { executionKey } from "../../../shared/storage/table/keys.ts";
import { anOrganization } from "../../support/builders/entities.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";
import { RecordingLogger } from "../../support/tunnel-world/recording-logger.ts";

const functionArn = "arn:aws:lambda:eu-central-1:111122223333:function:executor";

/** Executions that have begun, and of which Lambda says that they go on. */
async function setUp(count: number) {
  const stores = createModelStores();
  const { clock, table } = stores;
  const organizationId = anOrganization();
  for (let number = 0; number < count; number += 1) {
    const [runId, assignmentId] = [v7(), v7()];
    const execution = {
      organizationId,
      runId,
      assignmentId,
      machineId: v7(),
      part: 1,
      planKey: null,
      cursor: null,
      arn: `${functionArn}:1/durable-execution/${assignmentId}/${number}`,
      startedAt: new Date(clock.now()).toISOString(),
      held: null,
      callbackId: null,
      resumed: null,
      heldMs: 0,
    };
    await table.put({
      ...executionKey(organizationId, runId),
      ...executionRow.write(execution),
      ...executionDue(runId, clock.now()),
    });
  }
  const asked: string[] = [];
  const lambda = {
    isBusy: false,
    msPerCall: 0,
    send: async (command: { readonly constructor: { readonly name: string } }) => {
      asked.push(command.constructor.name);
      clock.advance(lambda.msPerCall);
      if (lambda.isBusy)
        throw Object.assign(new Error("Rate exceeded"), { name: "TooManyRequestsException" });
      return { Status: "RUNNING" };
    },
  };
  const finder = new LambdaExecutions({ client: lambda as never, executor: `${functionArn}:live` });
  const logger = new RecordingLogger();
  const untilMs = clock.now() + 40_000;
  const sweep = async () => await checkExecutions({ ...stores, finder, logger }, untilMs);
  return { ...stores, lambda, asked, sweep, logger };
}

describe("the sweep of executions", () => {
  it("asks once a minute about more than 200, each by its ARN, and lists none", async () => {
    const { sweep, asked } = await setUp(450);
    expect(await sweep()).toEqual({ found: 0, isBehind: false });
    expect([asked.length, new Set(asked)]).toEqual([450, new Set(["GetDurableExecutionCommand"])]);
    await sweep();
    expect(asked).toHaveLength(450);
    expect(executionsPerRun).toBeGreaterThan(450);
  });

  it("stops where Lambda is asked too often, and says that it is behind; the next one asks about the rest", async () => {
    const { sweep, asked, lambda, logger } = await setUp(60);
    lambda.isBusy = true;
    expect(await sweep()).toEqual({ found: 0, isBehind: true });
    expect(asked.length).toBeLessThanOrEqual(10);
    expect(logger.lines.length).toBeGreaterThan(0);
    lambda.isBusy = false;
    asked.length = 0;
    expect(await sweep()).toEqual({ found: 0, isBehind: false });
    expect(asked).toHaveLength(60);
  });

  it("ends with its time, and leaves the rest due", async () => {
    const { sweep, asked, lambda, executions, clock } = await setUp(60);
    lambda.msPerCall = 1_000;
    expect(await sweep()).toEqual({ found: 0, isBehind: true });
    expect(asked).toHaveLength(40);
    expect(await executions.listDue(clock.now(), 100)).toHaveLength(20);
  });
});
