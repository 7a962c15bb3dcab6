import { describe, expect, it } from "vitest";
import { selectRoute } from "../../../infra/local/gateway/route-selection.ts";

const routes = { $connect: "f", $disconnect: "f", $default: "f", hello: "f" };

describe("selectRoute", () => {
  it.each([
    ["$request.body.type", '{"type":"hello"}', "hello"],
    ["\x24{request.body.a.type}", '{"a":{"type":"hello"}}', "hello"],
    ["$request.body.type", '{"type":"other"}', "$default"],
    ["$request.body.type", '{"type":7}', "$default"],
    ["$request.body.type", "[]", "$default"],
    ["$request.body.type", "not JSON", "$default"],
    ["$request.body.type", '{"type":"$connect"}', "$default"],
    ["$request.body.type", '{"type":"toString"}', "$default"],
    ["$default", '{"type":"hello"}', "$default"],
  ])("by %s sends %s to %s", (expression, body, routeKey) => {
    expect(selectRoute(expression, body, routes)).toBe(routeKey);
  });
});
