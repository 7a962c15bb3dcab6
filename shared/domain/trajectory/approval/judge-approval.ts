import { InvalidInput, valueError } from "../../invalid-input.ts";
import type { OrganizationId } from "../../organization-id.ts";
import type { WorkflowStore } from "../../workflow/workflow-store.ts";
import { type ApprovalDeps, approvalProblems } from "./approval-problems.ts";
import type { ApprovalSubject } from "./approval-warnings.ts";

export interface JudgeDeps extends ApprovalDeps {
  readonly workflows: Pick<WorkflowStore, "find">;
}

export interface Judged extends ApprovalSubject {
  readonly organizationId: OrganizationId;
  readonly workflowId: string;
  readonly verifiedAt: string | null;
}

/** @returns warnings. @throws {InvalidInput} with the first reason why the service could not replay it. */
export async function judgeApproval(deps: JudgeDeps, judged: Judged): Promise<readonly string[]> {
  const workflow = await deps.workflows.find(judged.organizationId, judged.workflowId);
  // A deleted workflow has no more runs.
  if (workflow === undefined) return [];
  // Workers have formats of their own.
  if (workflow.executor === "worker")
    return approvalProblems(deps, judged, workflow).problems.map(({ reason }) => reason);
  const { problems, warnings } = approvalProblems(deps, judged, workflow, 1);
  const [problem] = problems;
  if (problem !== undefined) {
    throw new InvalidInput([valueError(["body", ...problem.path], problem.reason)]);
  }
  return judged.verifiedAt === null ? [...warnings, notVerified] : warnings;
}

export async function warningsOf(deps: JudgeDeps, judged: Judged): Promise<readonly string[]> {
  const workflow = await deps.workflows.find(judged.organizationId, judged.workflowId);
  return workflow === undefined ? [] : approvalProblems(deps, judged, workflow).warnings;
}

/** What an approval would say, which an edit says beforehand. */
export async function foreseenWarnings(deps: JudgeDeps, judged: Judged): Promise<readonly string[]> {
  const workflow = await deps.workflows.find(judged.organizationId, judged.workflowId);
  if (workflow === undefined) return [];
  const { problems, warnings } = approvalProblems(deps, judged, workflow);
  return [...problems.map(({ reason }) => reason), ...warnings];
}

const notVerified =
  "not verified: no run has replayed it with other inputs than the recording's; POST /v1/trajectories/{trajectory_id}/verify makes one";
