import { describe, expect, it } from "vitest";
import { Background } from "../../shared/domain/background.ts";

describe("what goes on beside an invocation's own work", () => {
  it("begins after what its caller does next without waiting, and is waited for", async () => {
    const background = new Background();
    const order: string[] = [];
    background.waitUntil(async () => void order.push("beside"));
    await Promise.resolve();
    order.push("own");
    await background.done();
    expect(order).toEqual(["own", "beside"]);
  });
});
