import {
  GetDurableExecutionCommand,
  type GetDurableExecutionCommandOutput,
  InvokeCommand,
  type LambdaClient,
  ListDurableExecutionsByFunctionCommand,
} from "@aws-sdk/client-lambda";
import type { ExecutionFinder, ExecutionStarter, ExecutionState } from "../domain/durable/durable.ts";
import type { ExecutionJob } from "../domain/execution/execution.ts";
import type { JsonObject } from "../domain/json.ts";
import { readJob } from "./read-job.ts";

export interface LambdaExecutionsOptions {
  readonly client: Pick<LambdaClient, "send">;
  /** The executor with its alias, as an ARN or `<name>:<alias>`. */
  readonly executor: string;
}

export class LambdaExecutions implements ExecutionStarter, ExecutionFinder {
  readonly #client: Pick<LambdaClient, "send">;
  readonly #executor: string;

  constructor({ client, executor }: LambdaExecutionsOptions) {
    this.#client = client;
    this.#executor = executor;
  }

  /**
   * Lambda finds an execution of the same payload, and refuses one of an earlier version, which is there as well.
   *
   * Source: https://docs.aws.amazon.com/lambda/latest/dg/durable-execution-idempotency.html
   */
  async start(name: string, payload: JsonObject): Promise<void> {
    try {
      await this.#client.send(
        new InvokeCommand({
          FunctionName: this.#executor,
          InvocationType: "Event",
          DurableExecutionName: name,
          Payload: JSON.stringify(payload),
        }),
      );
    } catch (cause) {
      if (!isNamed(cause, "DurableExecutionAlreadyStartedException")) throw cause;
    }
  }

  async find({
    name,
    arn,
  }: {
    readonly name: string;
    readonly arn: string | null;
  }): Promise<ExecutionState | undefined> {
    if (arn === null) return await this.#search(name);
    const found = await read(this.#client, arn);
    return found?.Status === "RUNNING" ? "open" : "closed";
  }

  async #search(name: string): Promise<ExecutionState | undefined> {
    // Without a qualifier the list has the executions of all versions.
    const FunctionName = this.#executor.slice(0, this.#executor.lastIndexOf(":"));
    const { DurableExecutions: found = [] } = await this.#client.send(
      new ListDurableExecutionsByFunctionCommand({ FunctionName, DurableExecutionName: name }),
    );
    if (found.length === 0) return undefined;
    return found.some(({ Status: status }) => status === "RUNNING") ? "open" : "closed";
  }
}

/** Returns undefined when Lambda no longer keeps the execution's input. */
export async function readJobOf(
  client: Pick<LambdaClient, "send">,
  executionArn: string,
): Promise<ExecutionJob | undefined> {
  const found = await read(client, executionArn);
  return found && readJob(JSON.parse(found.InputPayload ?? ""));
}

/** Returns undefined for an execution that has ended and that Lambda no longer keeps. */
async function read(
  client: Pick<LambdaClient, "send">,
  DurableExecutionArn: string,
): Promise<GetDurableExecutionCommandOutput | undefined> {
  try {
    return await client.send(new GetDurableExecutionCommand({ DurableExecutionArn }));
  } catch (cause) {
    if (isNamed(cause, "ResourceNotFoundException")) return undefined;
    throw cause;
  }
}

function isNamed(cause: unknown, name: string): boolean {
  return cause instanceof Error && cause.name === name;
}
