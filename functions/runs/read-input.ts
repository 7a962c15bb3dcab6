import type { CreateChainBody } from "../../shared/contract/run/chain.ts";
import type { RunsQuery } from "../../shared/contract/run/run.ts";
import type { CreateRunBody, RetryRunBody, UpdateRunBody } from "../../shared/contract/run/run-bodies.ts";
import type { VerifyTrajectoryBody } from "../../shared/contract/trajectory/verify-trajectory.ts";
import type { CreateChainInput } from "../../shared/domain/run/create/create-chain.ts";
import type { CreateRunInput } from "../../shared/domain/run/create/create-run.ts";
import type { RetryRunInput } from "../../shared/domain/run/retry/retry-run.ts";
import type { RunFilter } from "../../shared/domain/run/run-store.ts";
import type { UpdateRunInput } from "../../shared/domain/run/update-run.ts";
import type { VerifyTrajectoryInput } from "../../shared/domain/trajectory/verify-trajectory.ts";
import { given, inCamelCase } from "../../shared/http/request/given.ts";
import { inputFiles } from "../../shared/http/request/input-files.ts";

export function createInput(body: CreateRunBody): CreateRunInput {
  return {
    workflowId: body.workflow_id,
    files: inputFiles(body.file_inputs),
    overrides: given({
      mainPrompt: body.main_prompt,
      modelMetadata: body.model_metadata,
      modelConfigurationId: body.model_configuration_id,
      fallbackModelConfigurationIds: body.fallback_model_configuration_ids,
      maxSteps: body.max_steps,
      maxDurationSeconds: body.max_duration_seconds,
      maxTokens: body.max_tokens,
    }),
    ...given({
      machineId: body.machine_id,
      poolIds: body.pool_ids,
      inputValues: body.input_values,
      sensitiveValues: body.sensitive_input_values,
      sessionId: body.session_id,
      startSession: body.start_session,
      sessionAlias: body.session_alias,
      releaseSessionAfter: body.release_session_after,
      isPriority: body.is_priority,
      metadata: body.metadata,
    }),
  };
}

export function chainInput(body: CreateChainBody): CreateChainInput {
  return {
    steps: body.steps.map((step) => ({
      workflowId: step.workflow_id,
      continueOnFailure: step.continue_on_failure,
      ...given({
        sessionAlias: step.session_alias,
        inputValues: step.inputs,
        sensitiveValues: step.sensitive_inputs,
      }),
    })),
    files: inputFiles(body.shared_file_inputs),
    keepsSession: body.keep_session_after_completion,
    ...given({
      inputValues: body.shared_inputs,
      sensitiveValues: body.shared_sensitive_inputs,
      machineId: body.machine_id,
      poolIds: body.pool_ids,
      sessionId: body.session_id,
      metadata: body.metadata,
      isPriority: body.is_priority,
    }),
  };
}

export function retryInput(runId: string, body: RetryRunBody): RetryRunInput {
  const { sensitive_input_values: sensitiveValues, file_inputs: files, reuse_session, ...others } = body;
  return {
    runId,
    reuseSession: reuse_session,
    ...given({ ...inCamelCase(others), sensitiveValues, files: files && inputFiles(files) }),
  };
}

export function updateInput(runId: string, body: UpdateRunBody): UpdateRunInput {
  return { runId, ...given(inCamelCase(body)) };
}

export function verifyInput(trajectoryId: string, body: VerifyTrajectoryBody): VerifyTrajectoryInput {
  const { sensitive_input_values: sensitiveValues, ...others } = body;
  return { trajectoryId, ...given({ ...inCamelCase(others), sensitiveValues }) };
}

export function runFilter(query: RunsQuery): RunFilter {
  return given({
    workflowId: query.workflow_id,
    machineId: query.machine_id,
    sessionId: query.session_id,
    status: query.status,
    waitingForPerson: query.waiting_for_person,
    metadata: query.metadata,
    search: query.search,
    createdAtFrom: query.created_at_from,
    createdAtTo: query.created_at_to,
  });
}
