import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { routeGroups } from "../../../infra/route-groups.ts";

/**
 * Operations as the table of README.md writes them: `GET` `POST /v1/a` is two, and "below `/v1/a`:" stands before the
 * paths of its row.
 */
function operationsIn(readme: string): readonly string[] {
  const [, table = ""] = /\| Operations \|.*\n\|[-|]+\n((?:\|.*\n)+)/.exec(readme) ?? [];
  return table.split("\n").flatMap((row) => {
    const cell = row.split(" | ")[0] ?? "";
    const [, prefix] = /below `([^`]+)`/.exec(cell) ?? [];
    const methods: string[] = [];
    return [...cell.matchAll(/`([A-Z]+)(?: ([^`]+))?`/g)].flatMap(([, method = "", path]) => {
      methods.push(method);
      if (path === undefined) return [];
      return methods.splice(0).map((each) => `${each} ${prefix === undefined ? path : `${prefix}/${path}`}`);
    });
  });
}

it("README.md names every operation of the API, and none that there is not", () => {
  const routes = Object.values(routeGroups)
    .flatMap((group) => group.map(({ method, path }) => `${method} ${path}`))
    .filter((operation) => !operation.includes("/docs/assets/"));
  expect([...operationsIn(readFileSync("README.md", "utf8"))].sort()).toEqual([...new Set(routes)].sort());
});
