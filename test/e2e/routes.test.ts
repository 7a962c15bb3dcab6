import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { synthesize } from "../../infra/local/synthesize.ts";
import { readApplication } from "../../infra/local/template/read-application.ts";
import { allOperations } from "../../shared/contract/operations/all-operations.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));

describe("the template's routes", () => {
  it("are the operations of the service, each of them and nothing else", async () => {
    const { folder } = await synthesize(project);
    const routes = readApplication(folder).httpApis.flatMap((api) =>
      api.routes.map(({ routeKey }) => routeKey),
    );
    expect(routes.sort()).toEqual(
      [...allOperations.map(({ method, path }) => `${method} ${path}`), "$default"].sort(),
    );
  });
});
