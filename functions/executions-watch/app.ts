import type { EventBridgeEvent } from "aws-lambda";
import {
  type EndFailedExecutionDeps,
  endFailedExecution,
} from "../../shared/domain/execution/engine/end-failed-execution.ts";
import type { ExecutionJob } from "../../shared/domain/execution/execution.ts";
import type { Logger } from "../../shared/domain/logger.ts";

/** Source: https://docs.aws.amazon.com/lambda/latest/dg/durable-monitoring.html */
interface StatusChange {
  readonly durableExecutionArn: string;
  readonly status: string;
}

export interface ExecutionsWatchDeps extends EndFailedExecutionDeps {
  /** Returns undefined when Lambda no longer keeps the execution's input. */
  readonly readJobOf: (executionArn: string) => Promise<ExecutionJob | undefined>;
  readonly logger: Logger;
}

export function createExecutionsWatch(
  deps: ExecutionsWatchDeps,
): (event: Pick<EventBridgeEvent<string, StatusChange>, "detail">) => Promise<void> {
  return async ({ detail: { durableExecutionArn: arn, status } }) => {
    const job = await deps.readJobOf(arn);
    const ended = job !== undefined && (await endFailedExecution(deps, job));
    deps.logger.warn("an execution failed", {
      organization_id: job?.organizationId,
      run_id: job?.runId,
      assignment_id: job?.assignmentId,
      execution: arn,
      status,
      ended_run: ended,
    });
  };
}
