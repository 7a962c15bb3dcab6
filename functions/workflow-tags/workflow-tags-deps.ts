import type { TagDeps, TaggingDeps } from "../../shared/domain/workflow-tag/tag-deps.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";

export interface WorkflowTagsDeps extends HttpDeps, Pick<TagDeps, "tags">, Pick<TaggingDeps, "workflows"> {}
