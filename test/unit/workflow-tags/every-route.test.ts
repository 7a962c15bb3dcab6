import { describe, expect, it } from "vitest";
import { v7 } from "uuid";
import { createWorkflowTagsApp } from "../../../functions/workflow-tags/app.ts";
import { createWorkflowsApp } from "../../../functions/workflows/app.ts";
import { aTag, aTagGroup } from "../../support/builders/workflows.ts";
import { describeEveryRoute, type Operation } from "../../support/shared/every-route.suite.ts";
import { createTestService, type TestService } from "../../support/shared/test-service.ts";

/** The path with ids of things that the service's organization has. */
function pathOf(route: string) {
  return async ({ organizationId, stores }: TestService): Promise<string> => {
    const workflow = await stores.put.workflow({ organizationId });
    const tag = aTag({ organizationId });
    const group = aTagGroup({ organizationId });
    await stores.tags.createTag(tag);
    await stores.tags.createGroup(group);
    return route
      .replace(":workflow_id", workflow.id)
      .replace(":tag_id", tag.id)
      .replace(":group_id", group.id);
  };
}

function described(routes: readonly string[], bodies: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    routes.map((route): [string, Operation] => {
      const [method = "", path = ""] = route.split(" ");
      const body = bodies[route];
      return [
        route,
        {
          method: method as Operation["method"],
          path: pathOf(path),
          ...(body === undefined ? {} : { body }),
          wrongScope: method === "GET" ? "write" : "read",
          // What is named in the body of these is missing just as well.
          isOfOneResource: path.includes(":") || body === named,
        },
      ];
    }),
  );
}

/** Ids of nothing. */
const named = { ids: [v7()] };

const ofTags = {
  "POST /v1/workflow-tags": { name: "x" },
  "PUT /v1/workflow-tags/reorder": named,
  "PATCH /v1/workflow-tags/:tag_id": { color: "red" },
  "POST /v1/workflow-tag-groups": { name: "x" },
  "PUT /v1/workflow-tag-groups/reorder": named,
  "PATCH /v1/workflow-tag-groups/:group_id": { color: "red" },
};
const ofWorkflows = {
  "POST /v1/workflows": { main_prompt: "x" },
  "PATCH /v1/workflows/:workflow_id": { name: "x" },
  "POST /v1/workflows/:workflow_id/tags": { tag_ids: [v7()] },
  "POST /v1/workflows/bulk/tags": { workflow_ids: [v7()], tag_ids: [v7()] },
};

async function routesOf(createApp: (deps: TestService["deps"]) => { routes: readonly Route[] }) {
  const { deps } = await createTestService();
  const routes = createApp(deps).routes.filter(({ method }) => method !== "ALL");
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))];
}

interface Route {
  readonly method: string;
  readonly path: string;
}

const tagRoutes = await routesOf(createWorkflowTagsApp);
const workflowRoutes = await routesOf(createWorkflowsApp);

describe("workflow tags", () => {
  describeEveryRoute(createWorkflowTagsApp, described(tagRoutes, ofTags));
});

describe("workflows", () => {
  describeEveryRoute(createWorkflowsApp, described(workflowRoutes, ofWorkflows));
});

describe("the routes of both", () => {
  it("are those of which the bodies are given here", () => {
    const all = [...tagRoutes, ...workflowRoutes];
    expect(all).toHaveLength(24);
    expect(all).toEqual(expect.arrayContaining([...Object.keys(ofTags), ...Object.keys(ofWorkflows)]));
  });
});
