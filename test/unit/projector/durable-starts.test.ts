import { expect, it } from "vitest";
import { durableStarts } from "../../support/execution/durable-starts.ts";

it("runs start a durable execution each, and what is sent of them to five endpoints none", async () => {
  expect(await durableStarts({ runs: 50, endpoints: 5 })).toEqual({ ofRuns: 50, ofDeliveries: 0, sent: 250 });
});
