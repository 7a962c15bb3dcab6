import type { WorkflowDeps } from "../../shared/domain/workflow/workflow-deps.ts";
import type { TagDeps } from "../../shared/domain/workflow-tag/tag-deps.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";

export interface WorkflowsDeps
  extends HttpDeps,
    Pick<WorkflowDeps, "workflows" | "inputChecker">,
    Pick<TagDeps, "tags"> {}
